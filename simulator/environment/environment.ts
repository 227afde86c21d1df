/**
 * The mutable environment of the service: configured legal documents, the mail server, identity providers and keys. The
 * ports read its current state.
 */
import { Effect } from "effect"
import { hash } from "node:crypto"
import type { LegalText } from "../../src/ports/installation.ts"
import { keyPurposes, type IssuerKeys, type KeyPurpose } from "../../src/ports/signer.ts"
import { MailFailure, type Email, type Mail } from "../../src/ports/mail.ts"
import type { Recorder } from "../observation/recorder.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import type { MailServerState, ProviderState } from "../vocabulary/states.ts"
import { RememberedKeys } from "./remembered-keys.ts"

export const siteUrl = "https://countersign.test"

export interface LegalDocument {
  readonly kind: string
  readonly version: string
  readonly text: string
}

type PublicKey = IssuerKeys["keys"][number]

export class Environment {
  legalTexts: ReadonlyArray<LegalText> = [legalText(terms)]
  mailServer: MailServerState
  /** The states of identity providers that are not working. */
  readonly providers = new Map<string, ProviderState>()
  /** The members that are set in the answers to an actor. */
  readonly answerChanges = new Map<string, JsonObject>()
  /** The purposes for which the issuer has a key. */
  keyPurposes: ReadonlyArray<KeyPurpose> = keyPurposes
  /** The service's mail port: no server if the scenario has none. */
  readonly mail: Mail["Service"]
  /** Public keys of an installation whose project is in this world: its events verify, and nothing more is signed. */
  readonly importedKeys: ReadonlyArray<PublicKey>
  /** Shared with the worlds that continue this one. */
  readonly rememberedKeys: RememberedKeys
  readonly #recorder: Recorder

  constructor(
    recorder: Recorder,
    mailServer: MailServerState | undefined,
    rememberedKeys: RememberedKeys = new RememberedKeys(),
    importedKeys: ReadonlyArray<PublicKey> = []
  ) {
    this.#recorder = recorder
    this.importedKeys = importedKeys
    this.rememberedKeys = rememberedKeys
    this.mailServer = mailServer ?? "WORKING"
    this.mail = mailServer === undefined ? { kind: "NONE" } : { kind: "SERVER", send: (letter) => this.#send(letter) }
  }

  changeLegalDocuments(documents: ReadonlyArray<LegalDocument>): void {
    this.legalTexts = documents.map(legalText)
  }

  copyStateFrom(earlier: Environment): void {
    this.legalTexts = earlier.legalTexts
    this.mailServer = earlier.mailServer
    this.keyPurposes = earlier.keyPurposes
    for (const [actor, members] of earlier.answerChanges) this.answerChanges.set(actor, members)
    for (const [name, state] of earlier.providers) this.providers.set(name, state)
  }

  #send(letter: Email): Effect.Effect<void, MailFailure> {
    return Effect.suspend(() => {
      const { to, subject, text } = letter
      this.#recorder.observe({ kind: "letter", to, subject, text, server: this.mailServer })
      if (this.mailServer === "WORKING") return Effect.void
      return this.mailServer === "SILENT" ? Effect.never : Effect.fail(new MailFailure({ reason: "refused" }))
    })
  }
}

const terms: LegalDocument = {
  kind: "TERMS",
  version: "1",
  text: "Terms of the simulator. Nothing agreed here binds anybody."
}

const legalText = ({ kind, version, text }: LegalDocument): LegalText => ({
  kind,
  version,
  digest: hash("sha256", text, "hex"),
  url: `${siteUrl}/legal/${kind.toLowerCase()}/${version}`,
  text
})
