/** The options of a form of terms: the organization, its contacts and its members. */
import { Effect } from "effect"
import { listContacts } from "../../people/contacts.ts"
import type { ActingPerson } from "../../people/acting-person.ts"
import { listMembersInForce } from "../../people/memberships.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { traced } from "../../vocabulary/traced.ts"
import { readMemberships } from "../organization/own-membership.ts"

interface NamedPerson {
  readonly personId: string
  readonly name: string
}

export interface TermsChoices {
  /** The person who writes. */
  readonly personId: string
  readonly organizationId: string
  readonly organizationName: string
  readonly contacts: ReadonlyArray<NamedPerson & { readonly contactId: string; readonly reference: string }>
  /** The possible signers for the buyer; for a proposal, the possible representatives of the supplier. */
  readonly members: ReadonlyArray<NamedPerson>
}

/** What an organization's members write, by the authority that it needs. */
export const writings = { AGREEMENT_CREATE: "make agreements", PROPOSAL_MANAGE: "write proposals" } as const
export type WritingAuthority = keyof typeof writings

/** The options of one organization; refused where the person may not write for it. */
export const readChoices = traced("workspace.readChoices")(function* (
  person: ActingPerson,
  organizationId: string,
  authority: WritingAuthority
) {
  const own = (yield* readMemberships(person, authority)).find((one) => one.organizationId === organizationId)
  if (own === undefined) {
    return yield* refuse("FORBIDDEN", { detail: `You may not ${writings[authority]} for this organization.` })
  }
  const [contacts, members] = yield* Effect.all([
    listContacts(person, organizationId),
    listMembersInForce(person, organizationId)
  ])
  return {
    personId: person.personId,
    organizationId,
    organizationName: own.organizationName,
    contacts,
    members
  } satisfies TermsChoices
})
