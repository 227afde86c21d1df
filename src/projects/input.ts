/** The input of a new agreement (2.5). */
import { Schema } from "effect"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { LegalContext, termsFields } from "./terms.ts"

export const datesInOrder = Schema.makeFilter(
  (terms: {
    readonly deadline: string
    readonly reviewDeadline: string
    readonly retainUntil?: string
    readonly signing?: { readonly agreementSignBy: string; readonly acceptanceSignBy: string }
  }) => {
    const { signing } = terms
    if (signing !== undefined && signing.agreementSignBy > terms.deadline) {
      return { path: ["signing", "agreementSignBy"], issue: "must not be later than the deadline" }
    }
    if (signing !== undefined && signing.acceptanceSignBy <= signing.agreementSignBy) {
      return { path: ["signing", "acceptanceSignBy"], issue: "must be later than agreementSignBy" }
    }
    if (terms.deadline >= terms.reviewDeadline) {
      return { path: ["reviewDeadline"], issue: "must be later than the deadline" }
    }
    return terms.retainUntil === undefined || terms.reviewDeadline < terms.retainUntil
      ? undefined
      : { path: ["retainUntil"], issue: "must be later than the review deadline" }
  }
)

/** A creation without its request id. */
export const creationFields = {
  ...termsFields,
  legalContext: Schema.optionalKey(LegalContext),
  confirmationDigest: Schema.optionalKey(Digest)
}

export const CreateProject = Schema.Struct({ requestId: UuidV4, ...creationFields })
  .check(datesInOrder)
  .annotate({ identifier: "CreateProject" })
