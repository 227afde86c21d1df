/** The options of a proposal's form: the organization, its contacts as recipients, and its members. */
import { Effect } from "effect"
import { listContacts } from "../../people/contacts.ts"
import type { ActingPerson } from "../../people/acting-person.ts"
import { listMembers } from "../../people/memberships.ts"
import { readProfile } from "../../people/profile.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import type { AgreementChoices } from "../agreements/choices.ts"

/** Members can represent the supplier; contacts can be the buyer. */
export interface ProposalChoices extends AgreementChoices {
  /** The author. */
  readonly personId: string
}

/** The options of one organization; refused where the person may not write proposals for it. */
export const readProposalChoices = Effect.fn("workspace.readProposalChoices")(function* (
  person: ActingPerson,
  organizationId: string
) {
  const own = (yield* readProposalMemberships(person)).find((one) => one.organizationId === organizationId)
  if (own === undefined) {
    return yield* refuse("FORBIDDEN", { detail: "You may not write proposals for this organization." })
  }
  const [contacts, members] = yield* Effect.all([
    listContacts(person, organizationId),
    listMembers(person, organizationId)
  ])
  return {
    personId: person.personId,
    organizationId,
    organizationName: own.organizationName,
    contacts,
    members: members.filter(({ isInForce }) => isInForce)
  } satisfies ProposalChoices
})

/** The memberships that permit writing proposals. */
export const readProposalMemberships = (by: ActingPerson) =>
  Effect.map(readProfile(by), ({ memberships }) =>
    memberships.filter(({ isInForce, authorities }) => isInForce && authorities.includes("PROPOSAL_MANAGE"))
  )
