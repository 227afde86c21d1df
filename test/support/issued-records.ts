/** Agreements of two people with an issued record, and the requests that share it. */
import { Effect } from "effect"
import { authorities, type Authority } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { uuid } from "./parties.ts"
import { runToAccepted, commandAsPerson, issuanceOf, readProjectAsPerson, type Pair } from "./person-commands.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { createdBody, post } from "./workspace.ts"

export const recipient = "Aunt Eve's bank"

/** Terms that name the recipients a record may be shared with. */
export const termsWithRecipients = {
  termsPolicy: {
    purpose: "Record",
    contractBasis: "THIS_AGREEMENT",
    sharing: "Both",
    sharingRecipients: [recipient, "The tax office"]
  }
}

/** An agreement up to its issued record; returns the buyer's last view. */
export const agreementWithRecord = Effect.fnUntraced(function* (pair: Pair, changes: object = {}) {
  const { buyer } = pair
  const projectId = yield* runToAccepted(pair, { ...termsWithRecipients, ...changes })
  yield* grantCredits({ organizationId: buyer.organizationId, credits: 1, reference: "test" })
  const view = createdBody(
    yield* commandAsPerson(buyer, projectId, "issue-record", issuanceOf(yield* readProjectAsPerson(buyer, projectId)))
  )
  if (view.project.recordIssuance.status !== "ISSUED") throw new Error("the record was not issued")
  return projectId
})

/** A new member of an organization, with these authorities. */
export const joinOrganization = Effect.fnUntraced(function* (
  { organizationId }: Pick<SignedInPerson, "organizationId">,
  name: string,
  carried: ReadonlyArray<Authority> = authorities
) {
  const person = yield* signInNewPerson(name)
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  const { personId } = person
  const membership = yield* createMembership({ personId, organizationId, authorities: carried, validUntil })
  return { ...person, ...membership, organizationId }
})

export const shareWith = ({ personId }: Pick<SignedInPerson, "personId">, changes: object = {}) => ({
  requestId: uuid(),
  recipient,
  recipientActorId: personId,
  ...changes
})

/** The id of a new share. */
export const createShare = (by: SignedInPerson, projectId: string, body: object) =>
  Effect.map(post(by, `/projects/${projectId}/record-shares`, body), (answer) => createdBody(answer).shareId as string)

/** One valid request of every operation of people on records. */
export const recordRequests = Effect.fnUntraced(function* (buyer: SignedInPerson, supplier: SignedInPerson) {
  const { organizationId } = buyer
  const id = yield* agreementWithRecord({ buyer, supplier })
  const opened = yield* createShare(buyer, id, shareWith(supplier))
  const revoked = yield* createShare(buyer, id, shareWith(supplier, { recipient: "The tax office" }))
  return [
    ["readCredits", buyer, { ids: { organizationId } }],
    ["shareRecord", supplier, { ids: { id }, body: shareWith(buyer), status: 201 }],
    ["listShares", supplier, { ids: { id } }],
    ["revokeShare", buyer, { ids: { id, shareId: revoked }, body: { requestId: uuid() } }],
    ["listSharedRecords", supplier],
    ["openSharedRecord", supplier, { ids: { shareId: opened } }],
    ["downloadBuyerPackage", buyer, { ids: { id } }],
    ["downloadSupplierPackage", supplier, { ids: { id } }],
    ["downloadPackage", supplier, { ids: { id } }]
  ] as const
})
