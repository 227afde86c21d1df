/** The legal documents that new agreements stand on, and the confirmation that a creation must carry (4.2). */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import { Signer } from "../ports/signer.ts"
import { refusal, refuse } from "../vocabulary/refusals.ts"
import type { LegalDocument } from "./agreement.ts"
import { confirmAgreement } from "./confirmation.ts"

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

/** Shows what a creation confirms. Read-only: it records no consent and creates no agreement. */
export const previewConfirmation = Effect.fn("projects.previewConfirmation")(function* (
  documents: ReadonlyArray<LegalDocument>
) {
  const current = yield* currentDocuments
  return areCurrent(documents, current)
    ? { confirmation: confirmAgreement(current) }
    : yield* refuse("LEGAL_DOCUMENTS_CHANGED")
})

interface Given {
  readonly legalContext?: { readonly documents: ReadonlyArray<LegalDocument> }
  readonly confirmationDigest?: string
}

/** What an agreement here stands on: the operator's prerequisites and the current documents; undefined where all is there. */
export const checkDocuments = Effect.fnUntraced(function* (given: Given, current: ReadonlyArray<LegalDocument>) {
  const { prerequisites } = yield* Installation
  const unmet = prerequisites.filter(({ met }) => !met).map(({ id }) => id)
  if (unmet.length > 0) {
    const detail = `The operator has not yet met what an agreement here needs: ${unmet.join(", ")}.`
    return refusal("REVIEW_CREATION_REQUIREMENTS", { detail })
  }
  if (given.legalContext === undefined) return refusal("REVIEW_CREATION_REQUIREMENTS")
  return areCurrent(given.legalContext.documents, current) ? undefined : refusal("LEGAL_DOCUMENTS_CHANGED")
})

/** What a creation needs beside them: what was previewed. */
export const checkCreation = Effect.fnUntraced(function* (given: Given, current: ReadonlyArray<LegalDocument>) {
  const obstacle = yield* checkDocuments(given, current)
  if (obstacle !== undefined) return obstacle
  if (given.confirmationDigest === undefined) return refusal("REVIEW_CREATION_REQUIREMENTS")
  return given.confirmationDigest === confirmAgreement(current).digest
    ? undefined
    : refusal("CONFIRMATION_DIGEST_STALE")
})

const areCurrent = (given: ReadonlyArray<LegalDocument>, current: ReadonlyArray<LegalDocument>): boolean => {
  const identity = ({ kind, version, digest }: LegalDocument) => JSON.stringify([kind, version, digest])
  const wanted = new Set(current.map(identity))
  return given.length === wanted.size && given.every((document) => wanted.has(identity(document)))
}
