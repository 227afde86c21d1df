/** Proposal rows with the members that grants read: organization and recipient. */
import { Effect } from "effect"
import type { Role } from "../../src/access/actions.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { Proposals } from "../../src/proposals/store.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { uuid } from "./parties.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant

/** A proposal of an organization, published to a person or not yet published. */
export interface Offer {
  readonly proposalId: string
  readonly organizationId: string
  readonly recipientActorId: string | null
}

/** The person and organization that an agent acts for. */
interface Holder {
  readonly personId: string
  readonly organizationId: string
}

/** True if a grant of the holder can reach it. */
export const isOffered = (offer: Offer, { personId, organizationId }: Holder, role: Role): boolean => {
  const isAuthors = offer.organizationId === organizationId
  const isRecipient = offer.recipientActorId === personId
  return role === "BUYER" ? isRecipient && !isAuthors : isAuthors && !isRecipient
}

/** Inserts the rows that grants read; their content is irrelevant here. */
export const offer = Effect.fnUntraced(function* (organizationId: string, recipientActorId: string | null) {
  const storage = yield* Storage
  const proposalId = `proposal_${uuid()}`
  const summary = {
    digest: "",
    title: "Logo",
    supplierActorId: "",
    recipientActorId: recipientActorId ?? "",
    recipientReference: ""
  }
  yield* storage.transaction({ locks: [exclusive("proposal", proposalId)] }, (transaction) =>
    transaction.insert(Proposals, {
      proposalId,
      tenantId: "",
      organizationId,
      state: recipientActorId === null ? "DRAFT" : "PUBLISHED",
      version: 1,
      summary,
      publishedVersion: recipientActorId === null ? null : 1,
      publishedSummary: recipientActorId === null ? null : summary,
      recipientActorId,
      buyerOrganizationId: null,
      headEventHash: "",
      eventCount: 1,
      lastEventAt: noon,
      automationRevision: 0,
      pauses: [],
      holders: [],
      projectId: null,
      createdAt: noon
    })
  )
  return { proposalId, organizationId, recipientActorId } satisfies Offer
})
