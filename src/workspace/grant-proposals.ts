/** The proposals that a person can put within an agent's reach, and what tells one from another on a page. */
import { Effect } from "effect"
import { h } from "preact"
import type { Role } from "../access/actions.ts"
import { readNames, readOrganizationNames } from "../people/operations.ts"
import { listProposalsAsPerson } from "../proposals/person-operations.ts"
import { limits } from "../vocabulary/limits.ts"
import { untrusted, type Content } from "./html.ts"
import { personOf } from "./project-identity.ts"
import { isProposalOpen, proposalStateWords } from "./proposal-words.ts"
import type { Visitor } from "./visitor.ts"

type SidedProposal = Effect.Success<ReturnType<typeof listProposalsAsPerson>>[number]

/** A proposal with the names of whoever offers it. */
export type NamedProposal = SidedProposal & { readonly supplierName: string; readonly organizationName: string }

/**
 * What an agent can be given of one side: open proposals only, since of an ended one nothing more can come. A page shows
 * so many of them at most.
 */
export const readOfferedProposals = Effect.fn("workspace.readOfferedProposals")(function* (
  { person }: Visitor,
  side: Side
) {
  const listed = yield* listProposalsAsPerson(person)
  const offered = listed.filter((proposal) => isProposalOpen(proposal.state) && isOnSide(proposal, side))
  const proposals = yield* nameProposals(offered.slice(0, limits.boxesOnPage))
  return { proposals, areMore: offered.length > limits.boxesOnPage }
})

interface Side {
  readonly organizationId: string
  readonly role: Role
}

/** As the operation decides it: a recipient answers with any of their organizations but the author's. */
const isOnSide = (proposal: SidedProposal, { organizationId, role }: Side): boolean =>
  proposal.role === role && (proposal.supplier.organizationId === organizationId) === (role === "SUPPLIER")

/** Those that the person stands on a side of, by their ids. */
export const readReachedProposals = Effect.fn("workspace.readReachedProposals")(function* (
  { person }: Visitor,
  proposalIds: ReadonlyArray<string>
) {
  if (proposalIds.length === 0) return []
  const listed = yield* listProposalsAsPerson(person)
  return yield* nameProposals(listed.filter(({ id }) => proposalIds.includes(id)))
})

/**
 * Whoever offers has a name here. Whoever is to receive has the author's own word for them alone: a draft can name any
 * person's id, and must not tell their name.
 */
const nameProposals = Effect.fnUntraced(function* (proposals: ReadonlyArray<SidedProposal>) {
  const people = yield* named(
    readNames,
    proposals.map(({ supplier }) => supplier.actorId)
  )
  const organizations = yield* named(
    readOrganizationNames,
    proposals.map(({ supplier }) => supplier.organizationId)
  )
  return proposals.map((proposal): NamedProposal => {
    const { actorId, organizationId } = proposal.supplier
    return { ...proposal, supplierName: people(actorId), organizationName: organizations(organizationId) }
  })
})

/** Each is read once, however many proposals name it. */
const named = Effect.fnUntraced(function* <R>(
  read: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, never, R>,
  ids: ReadonlyArray<string>
) {
  const once = [...new Set(ids)]
  const names = yield* read(once)
  return (id: string) => names[once.indexOf(id)] ?? id
})

/** Beside a title, which is its author's own. */
export const identityOfProposal = (proposal: NamedProposal): Content => {
  const { id, version, state, role, supplier, supplierName, organizationName, recipient } = proposal
  return [
    h("code", null, id),
    h("br", null),
    `Version ${version}; ${proposalStateWords[state][role].name}. Proposed by `,
    untrusted(organizationName),
    ", with ",
    personOf(supplier.actorId, () => supplierName),
    recipient.reference === null ? null : [", to your contact ", untrusted(recipient.reference)],
    "."
  ]
}
