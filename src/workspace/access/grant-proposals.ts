/** The proposals that a person can add to an agent's scope, and the text that identifies each. */
import { Effect } from "effect"
import { h } from "preact"
import { readNames, readOrganizationNames } from "../../people/operations.ts"
import { listProposalsAsPerson } from "../../proposals/person-operations.ts"
import { limits } from "../../vocabulary/limits.ts"
import { traced } from "../../vocabulary/traced.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { personOf } from "../projects/identity.ts"
import { isProposalOpen, proposalStateLabels } from "../proposals/labels.ts"
import type { Visitor } from "../kit/visitor.ts"
import { namesById } from "../kit/names.ts"
import type { OrganizationRole } from "./grant-choices.ts"

type SidedProposal = Effect.Success<ReturnType<typeof listProposalsAsPerson>>[number]

/** A proposal with the names of its author. */
export type NamedProposal = SidedProposal & { readonly supplierName: string; readonly organizationName: string }

/** The open proposals of one role; ended ones cannot change any more. The page lists a limited number. */
export const readGrantableProposals = traced("workspace.readGrantableProposals")(function* (
  { person }: Visitor,
  side: OrganizationRole
) {
  const listed = yield* listProposalsAsPerson(person)
  const offered = listed.filter((proposal) => isProposalOpen(proposal.state) && isOnSide(proposal, side))
  const proposals = yield* nameProposals(offered.slice(0, limits.boxesOnPage))
  return { proposals, areMore: offered.length > limits.boxesOnPage }
})

/** The same rule as the operation's: a recipient answers for any of their organizations except the author's. */
const isOnSide = (proposal: SidedProposal, { organizationId, role }: OrganizationRole): boolean =>
  proposal.role === role && (proposal.supplier.organizationId === organizationId) === (role === "SUPPLIER")

/** The proposals with these ids that the person has access to. */
export const readProposalsById = traced("workspace.readProposalsById")(function* (
  { person }: Visitor,
  proposalIds: ReadonlyArray<string>
) {
  if (proposalIds.length === 0) return []
  const listed = yield* listProposalsAsPerson(person)
  return yield* nameProposals(listed.filter(({ id }) => proposalIds.includes(id)))
})

/**
 * The author is named. The recipient is shown only under the author's own reference: a draft can contain any person id
 * and must not reveal that person's name.
 */
const nameProposals = Effect.fnUntraced(function* (proposals: ReadonlyArray<SidedProposal>) {
  const people = yield* namesById(
    readNames,
    proposals.map(({ supplier }) => supplier.actorId)
  )
  const organizations = yield* namesById(
    readOrganizationNames,
    proposals.map(({ supplier }) => supplier.organizationId)
  )
  return proposals.map((proposal): NamedProposal => {
    const { actorId, organizationId } = proposal.supplier
    return { ...proposal, supplierName: people(actorId), organizationName: organizations(organizationId) }
  })
})

/** Identifies a proposal beside its title, which is the author's text. */
export const identityOfProposal = (proposal: NamedProposal): Content => {
  const { id, version, state, role, supplier, supplierName, organizationName, recipient } = proposal
  return [
    h("code", null, id),
    h("br", null),
    `Version ${version}; ${proposalStateLabels[state][role].name}. Proposed by `,
    untrusted(organizationName),
    ", with ",
    personOf(supplier.actorId, () => supplierName),
    recipient.reference === null ? null : [", to your contact ", untrusted(recipient.reference)],
    "."
  ]
}
