/** Checks the terms of a proposal whenever it is written or published: they must be acceptable now. */
import { Effect } from "effect"
import type { SubjectRequirement } from "../access/actions.ts"
import { canonicalText } from "../canonical/jcs.ts"
import { digestOf } from "../canonical/digest.ts"
import { checkPin } from "../discovery/pin.ts"
import { membershipIn } from "../people/acting-person.ts"
import { inView } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { LegalDocument } from "../projects/terms.ts"
import { checkDocuments, currentDocuments } from "../projects/legal.ts"
import { checkDates, checkParties, type TermsInput } from "../projects/new-project.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { ProposalVersion } from "./history.ts"
import { proposalDigest, type ProposalDocument, type ProposalInput, type ProposalTerms } from "./proposal.ts"
import { ProposalVersions } from "./store.ts"

/** The person and organization that propose. */
export interface Author {
  readonly personId: string
  readonly organizationId: string
}

/** Facts read before the transaction. The supplier's membership is not locked: a named supplier gets no authority. */
export interface OfferFacts {
  readonly documents: ReadonlyArray<LegalDocument>
  /** True if the named supplier is a member of the author's organization. */
  readonly isSupplierKnown: boolean
}

export const readOfferFacts = Effect.fnUntraced(function* (terms: TermsInput, author: Author) {
  const now = yield* currentTime
  const named = { organizationId: author.organizationId, actorId: terms.supplierActorId ?? author.personId }
  const isSupplierKnown = yield* inView((reader) => readIsSupplierKnown(reader, named, now))
  return { documents: yield* currentDocuments, isSupplierKnown } satisfies OfferFacts
})

/** True if the named supplier is a member of the organization that proposes. */
export const readIsSupplierKnown = (
  reader: Reader,
  { organizationId, actorId }: ProposalDocument["supplier"],
  now: Instant
) => Effect.map(membershipIn(reader, actorId, organizationId, now), (membership) => membership !== undefined)

/** The checks in the order of a project creation. The recipient is looked up at the publication. */
export const checkOffer = Effect.fnUntraced(function* (
  reader: Reader,
  { terms, recipientActorId }: Pick<ProposalInput, "terms" | "recipientActorId">,
  author: Author,
  facts: OfferFacts & {
    readonly subjectRequirements: ReadonlyArray<SubjectRequirement> | undefined
    readonly now: Instant
  }
) {
  yield* checkDates(terms, facts.now)
  if ([author.personId, terms.supplierActorId].includes(recipientActorId)) return yield* refuse("SAME_PARTY")
  if (!facts.isSupplierKnown) return yield* refuseUnknownSupplier
  yield* checkParties(reader, terms, recipientActorId)
  yield* requireSubjectRequirements(terms, facts.subjectRequirements)
  if (terms.specification !== undefined) yield* checkPin(reader, terms.specification)
  const missing = yield* checkDocuments(terms, facts.documents)
  return missing === undefined ? undefined : yield* Effect.fail(missing)
})

/** The same refusal for an unknown person and for a member of another organization. */
export const refuseUnknownSupplier = refuse("UNKNOWN_SUPPLIER", {
  detail: "The supplier must be a member of the organization that proposes."
})

/** The terms include every requirement of the grant unchanged; they may have more. */
export const requireSubjectRequirements = (
  { subjectRequirements }: Pick<TermsInput, "subjectRequirements">,
  required: ReadonlyArray<SubjectRequirement> = []
) => {
  const termsDigests = new Set(subjectRequirements.map((one) => digestOf(one)))
  return required.every((one) => termsDigests.has(digestOf(one)))
    ? Effect.void
    : refuse("SUBJECT_REQUIREMENTS_NOT_PRESERVED")
}

/** Queues one immutable version of checked terms. The default supplier is the author. */
export const insertVersion = Effect.fnUntraced(function* (
  transaction: Transaction,
  { proposalId, version }: { readonly proposalId: string; readonly version: number },
  { terms, recipientActorId, recipientReference }: ProposalInput,
  { personId, organizationId }: Author
) {
  const actorId = terms.supplierActorId ?? personId
  const document: ProposalDocument = {
    schema: "service.proposal/v1",
    proposalId,
    version,
    supplier: { organizationId, actorId },
    recipient: { actorId: recipientActorId },
    // The check has proved that the documents are present.
    terms: { ...terms, supplierActorId: actorId } as ProposalTerms
  }
  const digest = proposalDigest(document)
  yield* transaction.insert(ProposalVersions, {
    proposalId,
    version,
    document: canonicalText(document),
    digest,
    recipientReference
  })
  return { document, digest, recipientReference } satisfies ProposalVersion
})
