/** Request bodies for agreements: creation and commands (2.5, 2.6). */
import { Schema } from "effect"
import { roles } from "../access/actions.ts"
import { Digest, idOf, PersonId, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { optionalTextUpTo, Text, Title } from "../vocabulary/text.ts"
import { concernKinds, criterionDecisions, datePurposes, resolutions, responses, reviewActions } from "./event.ts"
import { LegalContext, termsFields, uniqueBy, upTo } from "./terms.ts"

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

export const RespondInput = Schema.Struct({
  requestId: UuidV4,
  agreementDigest: Digest,
  action: Schema.Literals(responses),
  actorId: Schema.String,
  actorRole: Schema.Literals(roles),
  authorityAttested: Schema.Literal(true),
  reason: Text,
  confirmationDigest: Schema.optionalKey(Digest)
})
export type RespondInput = typeof RespondInput.Type

export const RespondCommand = envelope("RespondCommand", RespondInput)

const File = Schema.Struct({
  name: Title,
  reference: Text,
  size: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: limits.fileBytes })),
  sha256: Digest
})

const Item = Schema.Struct({
  criterionId: Title,
  summary: Text,
  references: upTo(Text, limits.referencesPerItem),
  files: upTo(File, limits.filesPerItem).check(uniqueBy((file: typeof File.Type) => file.name, "file names of an item"))
}).annotate({ identifier: "SubmittedItem" })

export const SubmitInput = Schema.Struct({
  requestId: UuidV4,
  agreementDigest: Digest,
  previousSubmissionId: Schema.NullOr(idOf("submission")),
  respondsToReviewId: Schema.NullOr(idOf("review")),
  summary: Text,
  items: upTo(Item, limits.criteria)
})
export type SubmitInput = typeof SubmitInput.Type

export const SubmitCommand = envelope("SubmitCommand", SubmitInput)

const reviewFields = {
  requestId: UuidV4,
  agreementDigest: Digest,
  submissionId: idOf("submission"),
  expectedEventHash: Digest,
  action: Schema.Literals(reviewActions),
  reason: Text,
  nextAction: optionalTextUpTo(limits.reviewNextActionCharacters),
  decisions: upTo(
    Schema.Struct({
      criterionId: Title,
      decision: Schema.Literals(criterionDecisions),
      note: Schema.optionalKey(Text)
    }),
    limits.criteria
  ),
  checkedFiles: Schema.optionalKey(
    upTo(Schema.Struct({ criterionId: Title, name: Title, sha256: Digest }), limits.criteria * limits.filesPerItem)
  ),
  confirmationDigest: Schema.optionalKey(Digest)
}

/** The members of a review for each action. */
const reviewFits = Schema.makeFilter(
  (review: {
    readonly action: string
    readonly nextAction: string
    readonly checkedFiles?: unknown
    readonly confirmationDigest?: unknown
    readonly signature?: unknown
  }) => {
    const endsDelivery = review.action === "ACCEPT" || review.action === "REJECT"
    if (!endsDelivery && review.nextAction === "") {
      return { path: ["nextAction"], issue: "says what the supplier does next; empty only for ACCEPT and REJECT" }
    }
    const isAcceptance = review.action === "ACCEPT"
    if (isAcceptance !== (review.checkedFiles !== undefined)) {
      return { path: ["checkedFiles"], issue: "belongs to ACCEPT, and ACCEPT needs it" }
    }
    if (isAcceptance) return undefined
    const [misplaced] = (["confirmationDigest", "signature"] as const).filter((member) => review[member] !== undefined)
    return misplaced === undefined ? undefined : { path: [misplaced], issue: "belongs to ACCEPT" }
  }
)

/** A person's signature, or their evidence of an external one. */
const Signature = Schema.Union([
  Schema.Struct({ method: Schema.Literal("NATIVE"), digest: Digest }),
  Schema.Struct({
    method: Schema.Literal("EXTERNAL"),
    evidence: Schema.Struct({
      provider: Title,
      reference: Title,
      fileName: Title,
      sha256: Digest,
      signedAt: Instant
    })
  })
])

/** A person signs an acceptance if the agreement requires it. */
export const ReviewInput = Schema.Struct({ ...reviewFields, signature: Schema.optionalKey(Signature) }).check(
  reviewFits
)
export type ReviewInput = typeof ReviewInput.Type

export const ReviewCommand = envelope("ReviewCommand", Schema.Struct(reviewFields).check(reviewFits)).check(sameHead)

export const IssueRecordInput = Schema.Struct({
  requestId: UuidV4,
  agreementDigest: Digest,
  expectedEventHash: Digest,
  confirmationId: idOf("confirmation"),
  confirmationDigest: Schema.optionalKey(Digest),
  maxCredits: Schema.Literal(limits.maxCredits),
  reason: Text
})
export type IssueRecordInput = typeof IssueRecordInput.Type

export const IssueRecordCommand = envelope("IssueRecordCommand", IssueRecordInput).check(sameHead)

export const DateRevisionInput = Schema.Struct({
  requestId: UuidV4,
  agreementDigest: Digest,
  expectedEventHash: Digest,
  purpose: Schema.Literals(datePurposes),
  reason: Text
})
export type DateRevisionInput = typeof DateRevisionInput.Type

export const DateRevisionCommand = envelope("DateRevisionCommand", DateRevisionInput).check(sameHead)

export const ConcernInput = Schema.Struct({
  requestId: UuidV4,
  agreementDigest: Digest,
  expectedEventHash: Digest,
  confirmationId: idOf("confirmation"),
  kind: Schema.Literals(concernKinds),
  reason: Text
})
export type ConcernInput = typeof ConcernInput.Type

export const ConcernCommand = envelope("ConcernCommand", ConcernInput).check(sameHead)

const HandoffInput = Schema.Struct({ requestId: UuidV4, reason: Text })
export type HandoffInput = typeof HandoffInput.Type

export const HandoffCommand = envelope("HandoffCommand", HandoffInput)

/** The inputs of commands that only people send. */
const reasoned = { requestId: UuidV4, agreementDigest: Digest, reason: Text }

export const SignInput = Schema.Struct({ requestId: UuidV4, agreementDigest: Digest, signature: Signature })
export type SignInput = typeof SignInput.Type

export const LiftHoldInput = Schema.Struct(reasoned)
export type LiftHoldInput = typeof LiftHoldInput.Type

export const ResolveConcernInput = Schema.Struct({
  ...reasoned,
  confirmationId: idOf("confirmation"),
  resolution: Schema.Literals(resolutions)
})
export type ResolveConcernInput = typeof ResolveConcernInput.Type

export const WithdrawConfirmationInput = Schema.Struct({ ...reasoned, confirmationId: idOf("confirmation") })
export type WithdrawConfirmationInput = typeof WithdrawConfirmationInput.Type

export const ChangeRepresentativeInput = Schema.Struct({ ...reasoned, supplierActorId: PersonId })
export type ChangeRepresentativeInput = typeof ChangeRepresentativeInput.Type
