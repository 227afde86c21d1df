/** The inputs of proposals: the creation and the commands (2.8). */
import { Schema } from "effect"
import { responses } from "../projects/event.ts"
import { creationFields, datesInOrder } from "../projects/input.ts"
import { Digest, PersonId, UuidV4 } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { Text, textUpTo } from "../vocabulary/text.ts"

const { confirmationDigest: _, ...proposedFields } = creationFields

/** The path format of a proposal id (2.1); any other format is 404. */
export const ProposalId = Schema.String.check(
  Schema.isPattern(/^proposal_[a-f0-9-]{36}$/u, { expected: "a proposal id" })
)

/** The full agreement input without `requestId`, `revisionOf` or `confirmationDigest`. */
export const ProposedTerms = Schema.Struct(proposedFields).check(datesInOrder).annotate({ identifier: "ProposedTerms" })

const versionFields = {
  recipientActorId: PersonId,
  recipientReference: textUpTo(limits.contactReferenceCharacters),
  terms: ProposedTerms
}

const Version = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

export const newProposal = {
  requestId: UuidV4,
  // A bare literal would tag the whole body: a wrong value would be reported without its path.
  expectedVersion: Schema.Literals([0]),
  ...versionFields
}

export const CreateProposal = Schema.Struct(newProposal).annotate({ identifier: "CreateProposal" })

export const UpdateInput = Schema.Struct({ requestId: UuidV4, expectedVersion: Version, ...versionFields }).annotate({
  identifier: "UpdateProposalInput"
})

/** The input of publish and withdraw. */
export const VersionedInput = Schema.Struct({ requestId: UuidV4, expectedVersion: Version }).annotate({
  identifier: "VersionedProposalInput"
})

export const AnswerInput = Schema.Struct({
  requestId: UuidV4,
  proposalDigest: Digest,
  action: Schema.Literals(responses),
  reason: Text,
  confirmationDigest: Schema.optionalKey(Digest)
})
  .check(
    Schema.makeFilter((answer: { readonly action: string; readonly confirmationDigest?: string }) =>
      answer.action === "ACCEPT" || answer.confirmationDigest === undefined
        ? undefined
        : { path: ["confirmationDigest"], issue: "belongs to ACCEPT" }
    )
  )
  .annotate({ identifier: "AnswerProposalInput" })

export const HandoffInput = Schema.Struct({ requestId: UuidV4, reason: Text }).annotate({
  identifier: "HandoffProposalInput"
})
