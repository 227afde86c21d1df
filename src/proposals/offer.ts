/** What is offered, as it is checked whenever it is written and published: terms that could be agreed on now. */
import { Effect } from "effect"
import type { SubjectRequirement } from "../access/actions.ts"
import { canonicalText } from "../canonical/jcs.ts"
import { digestOf } from "../canonical/digest.ts"
import { checkPin } from "../discovery/pin.ts"
import { membershipIn } from "../people/human.ts"
import { Storage, type Reader, type Transaction } from "../ports/storage.ts"
import type { LegalDocument } from "../projects/agreement.ts"
import { checkDocuments, currentDocuments } from "../projects/legal.ts"
import { checkDates, checkParties, type OpenTerms } from "../projects/new-project.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { Version } from "./history.ts"
import { proposalDigest, type ProposalDocument, type ProposalInput, type ProposedTerms } from "./proposal.ts"
import { ProposalVersions } from "./store.ts"

/** Who offers. */
export interface Author {
  readonly personId: string
  readonly organizationId: string
}

/** What is known before the transaction; nobody becomes the supplier by being named, so it is not locked. */
export interface OfferFacts {
  readonly documents: ReadonlyArray<LegalDocument>
  /** True where the named supplier is a member of the author's organization. */
  readonly isSupplierKnown: boolean
}

export const planOffer = Effect.fnUntraced(function* (terms: OpenTerms, author: Author) {
  const storage = yield* Storage
  const now = yield* currentTime
  const named = { organizationId: author.organizationId, actorId: terms.supplierActorId ?? author.personId }
  const isSupplierKnown = yield* storage.view((reader) => readIsSupplierKnown(reader, named, now))
  return { documents: yield* currentDocuments, isSupplierKnown } satisfies OfferFacts
})

/** True where the named supplier is a member of the organization that proposes. */
export const readIsSupplierKnown = (
  reader: Reader,
  { organizationId, actorId }: ProposalDocument["supplier"],
  now: Instant
) => Effect.map(membershipIn(reader, actorId, organizationId, now), (membership) => membership !== undefined)

/** In the order of a creation; whoever is addressed is looked up when it is published. */
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
  if (!facts.isSupplierKnown) return yield* refuseSupplier
  yield* checkParties(reader, terms, recipientActorId)
  yield* requireCarried(terms, facts.subjectRequirements)
  if (terms.specification !== undefined) yield* checkPin(reader, terms.specification)
  const missing = yield* checkDocuments(terms, facts.documents)
  return missing === undefined ? undefined : yield* Effect.fail(missing)
})

/** One answer for whoever is unknown, and whoever is known elsewhere. */
export const refuseSupplier = refuse("UNKNOWN_SUPPLIER", {
  detail: "The supplier is a member of the organization that proposes."
})

/** What binds an agent stands in the terms unchanged, beside whatever else stands there. */
export const requireCarried = (
  { subjectRequirements }: Pick<OpenTerms, "subjectRequirements">,
  required: ReadonlyArray<SubjectRequirement> = []
) => {
  const carried = new Set(subjectRequirements.map((one) => digestOf(one)))
  return required.every((one) => carried.has(digestOf(one)))
    ? Effect.void
    : refuse("SUBJECT_REQUIREMENTS_NOT_PRESERVED")
}

/** Queues one version, which never changes again. The terms were checked; their supplier is the author by default. */
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
    // The documents were checked to be there.
    terms: { ...terms, supplierActorId: actorId } as ProposedTerms
  }
  const digest = proposalDigest(document)
  yield* transaction.insert(ProposalVersions, {
    proposalId,
    version,
    document: canonicalText(document),
    digest,
    recipientReference
  })
  return { document, digest, recipientReference } satisfies Version
})
