/** The legal documents of new agreements, and the confirmation that a creation must carry (4.2). */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import { Signer } from "../ports/signer.ts"
import { refusal, refuse } from "../vocabulary/refusals.ts"
import type { LegalDocument } from "./terms.ts"
import { confirmAgreement } from "./confirmation.ts"
import { traced } from "../vocabulary/traced.ts"

/** The current documents, without their texts. */
export const currentDocuments = Effect.map(Installation, ({ legalTexts }) =>
  legalTexts.map(({ kind, version, digest }): LegalDocument => ({ kind, version, digest }))
)

export const legalConfig = Effect.gen(function* () {
  const { legalTexts, siteUrl, prerequisites } = yield* Installation
  const { keys } = yield* Signer
  return {
    documents: legalTexts.map(({ kind, version, digest, url }) => ({ kind, version, digest, url })),
    issuer: { name: keys.issuer, keysUrl: `${siteUrl}/.well-known/service-issuer-keys.json` },
    prerequisites
  }
})

/** Previews the confirmation of a creation. Read-only: it records no consent and creates no agreement. */
export const previewConfirmation = traced("projects.previewConfirmation")(function* (
  documents: ReadonlyArray<LegalDocument>
) {
  const current = yield* currentDocuments
  return areCurrent(documents, current)
    ? { confirmation: confirmAgreement(current) }
    : yield* refuse("LEGAL_DOCUMENTS_CHANGED")
})

interface CreationInput {
  readonly legalContext?: { readonly documents: ReadonlyArray<LegalDocument> }
  readonly confirmationDigest?: string
}

/** Checks the operator's prerequisites and the current documents; undefined if both are met. */
export const checkDocuments = Effect.fnUntraced(function* (
  input: CreationInput,
  current: ReadonlyArray<LegalDocument>
) {
  const { prerequisites } = yield* Installation
  const unmet = prerequisites.filter(({ met }) => !met).map(({ id }) => id)
  if (unmet.length > 0) {
    const detail = `The operator has not met these prerequisites of an agreement: ${unmet.join(", ")}.`
    return refusal("REVIEW_CREATION_REQUIREMENTS", { detail })
  }
  if (input.legalContext === undefined) return refusal("REVIEW_CREATION_REQUIREMENTS")
  return areCurrent(input.legalContext.documents, current) ? undefined : refusal("LEGAL_DOCUMENTS_CHANGED")
})

/** Also checks the previewed confirmation of a creation. */
export const checkCreation = Effect.fnUntraced(function* (input: CreationInput, current: ReadonlyArray<LegalDocument>) {
  const refused = yield* checkDocuments(input, current)
  if (refused !== undefined) return refused
  if (input.confirmationDigest === undefined) return refusal("REVIEW_CREATION_REQUIREMENTS")
  return input.confirmationDigest === confirmAgreement(current).digest
    ? undefined
    : refusal("CONFIRMATION_DIGEST_STALE")
})

const areCurrent = (documents: ReadonlyArray<LegalDocument>, current: ReadonlyArray<LegalDocument>): boolean => {
  const identity = ({ kind, version, digest }: LegalDocument) => JSON.stringify([kind, version, digest])
  const expected = new Set(current.map(identity))
  return documents.length === expected.size && documents.every((document) => expected.has(identity(document)))
}
