/** The read model of proposal pages: the proposal, and the names of its people and organizations. */
import { Effect } from "effect"
import { readOrganizationNames } from "../../people/operations.ts"
import { readMembershipsInForce } from "../../people/profile.ts"
import { readProposalWithHistory } from "../../proposals/person-operations.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readNameOf, type NameOf } from "./names.ts"

type WholeProposal = Effect.Success<ReturnType<typeof readProposalWithHistory>>

export interface ProposalPageModel extends WholeProposal {
  readonly proposalId: string
  /** The author's organization. */
  readonly organizationName: string
  readonly nameOf: NameOf
  /** The organizations for which a recipient may answer; empty for the author. */
  readonly answering: ReadonlyArray<{ readonly organizationId: string; readonly organizationName: string }>
  /** True where the person may write proposals for the author's organization. */
  readonly mayWrite: boolean
  /** True where the person may pause and resume the agents of their party. */
  readonly mayDelegate: boolean
}

export const readProposalPageModel = Effect.fnUntraced(function* ({ person }: Visitor, proposalId: string) {
  const whole = yield* readProposalWithHistory(person, proposalId)
  const { supplier } = whole.view.proposal
  const isAuthor = whole.view.role === "SUPPLIER"
  const [nameOf, [organizationName = ""], memberships] = yield* Effect.all([
    readNameOf(person, peopleOf(whole), [whole.view]),
    readOrganizationNames([supplier.organizationId]),
    readMembershipsInForce(person)
  ])
  // A recipient belongs to the proposal with any organization except the author's.
  const own = memberships.filter(({ organizationId }) => (organizationId === supplier.organizationId) === isAuthor)
  return {
    ...whole,
    proposalId,
    organizationName,
    nameOf,
    answering: isAuthor ? [] : own.filter(({ authorities }) => authorities.includes("PROPOSAL_MANAGE")),
    mayWrite: isAuthor && own.some(({ authorities }) => authorities.includes("PROPOSAL_MANAGE")),
    mayDelegate: own.some((one) => one.authorities.includes("DELEGATE") && mayStandFor(whole, one.organizationId))
  } satisfies ProposalPageModel
})

/** After the acceptance, only the accepting organization represents the recipient. */
const mayStandFor = ({ view }: WholeProposal, organizationId: string): boolean =>
  view.proposal.state !== "ACCEPTED" || view.organizationId === organizationId

/** All actors, recipients of publications, and the supplier's representative. */
const peopleOf = ({ view, events }: WholeProposal): ReadonlyArray<string> => [
  view.proposal.supplier.actorId,
  ...view.automation.pausedBy.map(({ by }) => by),
  ...events.flatMap((event) =>
    event.kind === "PUBLISH" ? [event.actor.id, event.payload.recipientActorId] : [event.actor.id]
  )
]
