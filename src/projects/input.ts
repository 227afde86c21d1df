/** What agents send about agreements: the creation and the commands (2.5, 2.6). */
import { Schema } from "effect"
import { roles } from "../access/actions.ts"
import { SubjectRequirement } from "../access/wire.ts"
import { Digest, idOf, PersonId, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { optionalTextUpTo, textUpTo } from "../vocabulary/text.ts"
import { criterionDecisions, responses, reviewActions } from "./event.ts"

const Title = textUpTo(limits.titleCharacters)
const Text = textUpTo(limits.textCharacters)
const LongText = textUpTo(limits.scopeCharacters)

const upTo = <S extends Schema.Constraint>(item: S, count: number) =>
  Schema.Array(item).check(Schema.isMaxLength(count))

const uniqueBy = <A>(key: (item: A) => string, what: string) =>
  Schema.makeFilter<ReadonlyArray<A>>(
    (items) => new Set(items.map(key)).size === items.length || `${what} must be unique`
  )

export const LegalDocument = Schema.Struct({ kind: Title, version: Title, digest: Digest }).annotate({
  identifier: "LegalDocument"
})
export const LegalContext = Schema.Struct({ documents: upTo(LegalDocument, 50) })

export const Criterion = Schema.Struct({ id: Title, title: Title, requirement: Text }).annotate({
  identifier: "Criterion"
})

const Criteria = Schema.Array(Criterion).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(limits.criteria),
  uniqueBy((criterion: typeof Criterion.Type) => criterion.id, "criterion ids")
)

const TermsPolicy = Schema.Struct({
  purpose: Text,
  contractBasis: Schema.Literals(["THIS_AGREEMENT", "EXISTING_CONTRACT"]),
  contractReference: Schema.optionalKey(Text),
  contractClauses: Schema.optionalKey(LongText),
  sharing: Text,
  sharingRecipients: upTo(Title, limits.sharingRecipients)
}).check(
  Schema.makeFilter((policy) =>
    policy.contractBasis === "THIS_AGREEMENT" ||
    (policy.contractReference !== undefined && policy.contractClauses !== undefined)
      ? undefined
      : { path: ["contractReference"], issue: "an existing contract needs its exact reference and clauses" }
  )
)

const termsFields = {
  title: Title,
  scope: LongText,
  buyerName: Title,
  supplierName: Title,
  supplierActorId: Schema.optionalKey(PersonId),
  supplierReference: Text,
  criteria: Criteria,
  deadline: Instant,
  reviewDeadline: Instant,
  retainUntil: Schema.optionalKey(Instant),
  baselineStatement: LongText,
  // A bare literal would tag the whole body: a wrong one would be reported without its path.
  materialPolicy: Schema.Literals(["FILE_DIGESTS"]),
  termsPolicy: TermsPolicy,
  originals: Schema.Struct({ custodian: Title, location: Text, access: Text }),
  subjectRequirements: upTo(SubjectRequirement, limits.subjectRequirements)
}

const datesInOrder = Schema.makeFilter(
  (terms: { readonly deadline: string; readonly reviewDeadline: string; readonly retainUntil?: string }) => {
    if (terms.deadline >= terms.reviewDeadline) {
      return { path: ["reviewDeadline"], issue: "must be later than the deadline" }
    }
    return terms.retainUntil === undefined || terms.reviewDeadline < terms.retainUntil
      ? undefined
      : { path: ["retainUntil"], issue: "must be later than the review deadline" }
  }
)

export const CreateProject = Schema.Struct({
  requestId: UuidV4,
  ...termsFields,
  legalContext: Schema.optionalKey(LegalContext),
  confirmationDigest: Schema.optionalKey(Digest)
})
  .check(datesInOrder)
  .annotate({ identifier: "CreateProject" })

const envelope = <I extends Schema.Constraint>(name: string, input: I) =>
  Schema.Struct({
    expectedEventHash: Digest,
    automationRevision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    input
  }).annotate({ identifier: name })

/** The head is named twice where a decision binds it; the two must agree. */
const sameHead = Schema.makeFilter(
  (command: { readonly expectedEventHash: string; readonly input: { readonly expectedEventHash: string } }) =>
    command.expectedEventHash === command.input.expectedEventHash
      ? undefined
      : { path: ["input", "expectedEventHash"], issue: "must equal the envelope's expectedEventHash" }
)

export const RespondCommand = envelope(
  "RespondCommand",
  Schema.Struct({
    requestId: UuidV4,
    agreementDigest: Digest,
    action: Schema.Literals(responses),
    actorId: Schema.String,
    actorRole: Schema.Literals(roles),
    authorityAttested: Schema.Literal(true),
    reason: Text,
    confirmationDigest: Schema.optionalKey(Digest)
  })
)

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

export const SubmitCommand = envelope(
  "SubmitCommand",
  Schema.Struct({
    requestId: UuidV4,
    agreementDigest: Digest,
    previousSubmissionId: Schema.NullOr(idOf("submission")),
    respondsToReviewId: Schema.NullOr(idOf("review")),
    summary: Text,
    items: upTo(Item, limits.criteria)
  })
)

const ReviewInput = Schema.Struct({
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
}).check(
  Schema.makeFilter((review) => {
    const endsDelivery = review.action === "ACCEPT" || review.action === "REJECT"
    if (!endsDelivery && review.nextAction === "") {
      return { path: ["nextAction"], issue: "says what the supplier does next; empty only for ACCEPT and REJECT" }
    }
    const isAcceptance = review.action === "ACCEPT"
    if (isAcceptance !== (review.checkedFiles !== undefined)) {
      return { path: ["checkedFiles"], issue: "belongs to ACCEPT, and ACCEPT needs it" }
    }
    return isAcceptance || review.confirmationDigest === undefined
      ? undefined
      : { path: ["confirmationDigest"], issue: "belongs to ACCEPT" }
  })
)

export const ReviewCommand = envelope("ReviewCommand", ReviewInput).check(sameHead)

export const IssueRecordCommand = envelope(
  "IssueRecordCommand",
  Schema.Struct({
    requestId: UuidV4,
    agreementDigest: Digest,
    expectedEventHash: Digest,
    confirmationId: idOf("confirmation"),
    confirmationDigest: Schema.optionalKey(Digest),
    maxCredits: Schema.Literal(limits.maxCredits),
    reason: Text
  })
).check(sameHead)
