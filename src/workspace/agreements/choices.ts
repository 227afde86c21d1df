/** The options of an agreement's form: the organization, its contacts and its members. */
import { Effect } from "effect"
import { listContacts } from "../../people/contacts.ts"
import type { ActingPerson } from "../../people/acting-person.ts"
import { listMembers } from "../../people/memberships.ts"
import { readProfile } from "../../people/profile.ts"
import { refuse } from "../../vocabulary/refusals.ts"

interface NamedPerson {
  readonly personId: string
  readonly name: string
}

export interface AgreementChoices {
  readonly organizationId: string
  readonly organizationName: string
  readonly contacts: ReadonlyArray<NamedPerson & { readonly contactId: string; readonly reference: string }>
  /** The possible signers for the buyer. */
  readonly members: ReadonlyArray<NamedPerson>
}

/** The options of one organization; refused where the person may not make agreements for it. */
export const readAgreementChoices = Effect.fn("workspace.readAgreementChoices")(function* (
  person: ActingPerson,
  organizationId: string
) {
  const own = (yield* readAgreementMemberships(person)).find((one) => one.organizationId === organizationId)
  if (own === undefined) {
    return yield* refuse("FORBIDDEN", { detail: "You may not make agreements for this organization." })
  }
  const [contacts, members] = yield* Effect.all([
    listContacts(person, organizationId),
    listMembers(person, organizationId)
  ])
  return {
    organizationId,
    organizationName: own.organizationName,
    contacts,
    members: members.filter(({ isInForce }) => isInForce)
  } satisfies AgreementChoices
})

/** The memberships that permit making agreements. */
export const readAgreementMemberships = (by: ActingPerson) =>
  Effect.map(readProfile(by), ({ memberships }) =>
    memberships.filter(({ isInForce, authorities }) => isInForce && authorities.includes("AGREEMENT_CREATE"))
  )
