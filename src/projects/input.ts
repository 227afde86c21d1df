/** Request bodies for agreements: creation, and the commands of agents (2.5, 2.6). */
import { Schema } from "effect"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { ConcernInput } from "./commands/concern.ts"
import { DateRevisionInput } from "./commands/date-revision.ts"
import { HandoffInput } from "./commands/handoff.ts"
import { IssueRecordInput } from "./commands/issue-record.ts"
import { RespondInput } from "./commands/respond.ts"
import { reviewFields, reviewFits } from "./commands/review.ts"
import { SubmitInput } from "./commands/submit.ts"
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

const envelope = <I extends Schema.Constraint>(name: string, input: I) =>
  Schema.Struct({
    expectedEventHash: Digest,
    automationRevision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    input
  }).annotate({ identifier: name })

/** A binding decision names the head twice; both must be equal. */
export const sameHead = Schema.makeFilter(
  (command: { readonly expectedEventHash: string; readonly input: { readonly expectedEventHash: string } }) =>
    command.expectedEventHash === command.input.expectedEventHash
      ? undefined
      : { path: ["input", "expectedEventHash"], issue: "must equal the envelope's expectedEventHash" }
)

export const RespondCommand = envelope("RespondCommand", RespondInput)
export const SubmitCommand = envelope("SubmitCommand", SubmitInput)
export const ReviewCommand = envelope("ReviewCommand", Schema.Struct(reviewFields).check(reviewFits)).check(sameHead)
export const IssueRecordCommand = envelope("IssueRecordCommand", IssueRecordInput).check(sameHead)
export const DateRevisionCommand = envelope("DateRevisionCommand", DateRevisionInput).check(sameHead)
export const ConcernCommand = envelope("ConcernCommand", ConcernInput).check(sameHead)
export const HandoffCommand = envelope("HandoffCommand", HandoffInput)
