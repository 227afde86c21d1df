/**
 * Keys and signatures of one search, remembered by value: its worlds derive the same keys and sign the same payloads many
 * times. It belongs to the search root and its forks, and changes no result.
 */
import { Effect } from "effect"
import { secretsFrom } from "../../src/adapters/secrets.ts"
import type { Secrets } from "../../src/ports/secrets.ts"
import type { IssuerNotConfigured } from "../../src/ports/signer.ts"

export class RememberedKeys {
  readonly #secrets = new Map<string, Secrets["Service"]>()
  readonly #signatures = new Map<string, string>()

  /** The secrets under a key; they derive each of its subkeys once. */
  secretsUnder(key: Uint8Array): Secrets["Service"] {
    const name = Buffer.from(key).toString("hex")
    const known = this.#secrets.get(name)
    if (known !== undefined) return known
    const secrets = secretsFrom([key])
    setWithin(this.#secrets, secretsMax, name, secrets)
    return secrets
  }

  /** The signature with this key over this text; Ed25519 is deterministic. */
  signature(
    kid: string,
    text: string,
    sign: Effect.Effect<string, IssuerNotConfigured>
  ): Effect.Effect<string, IssuerNotConfigured> {
    const name = `${kid} ${text}`
    const known = this.#signatures.get(name)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(sign, (jws) => Effect.sync(() => setWithin(this.#signatures, signaturesMax, name, jws)))
  }
}

const secretsMax = 16
const signaturesMax = 2_000

/** Adds an entry to a bounded map, which starts again where it is full. */
const setWithin = <V>(map: Map<string, V>, most: number, name: string, value: V): void => {
  if (map.size >= most) map.clear()
  map.set(name, value)
}
