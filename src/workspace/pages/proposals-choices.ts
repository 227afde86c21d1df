/** What a person can choose from in a proposal: their organization, its contacts to send it to, and its members. */
import { Effect } from "effect"
import { listContacts } from "../../people/contacts.ts"
import type { Human } from "../../people/human.ts"
import { listMembers } from "../../people/memberships.ts"
import { readStanding } from "../../people/standing.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import type { AgreementChoices } from "./agreements-choices.ts"

/** The members stand for the supplier here, and the contacts may be its buyers. */
export interface ProposalChoices extends AgreementChoices {
  /** Who writes. */
  readonly personId: string
}

/** What the organization offers; refused where the person may not write proposals for it. */
export const readProposalChoices = Effect.fn("workspace.readProposalChoices")(function* (
  person: Human,
  organizationId: string
) {
  const own = (yield* readProposalAuthors(person)).find((one) => one.organizationId === organizationId)
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

/** The memberships under which a person may write proposals. */
export const readProposalAuthors = (by: Human) =>
  Effect.map(readStanding(by), ({ memberships }) =>
    memberships.filter(({ isInForce, authorities }) => isInForce && authorities.includes("PROPOSAL_MANAGE"))
  )
