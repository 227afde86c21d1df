/** One proposal as its pages show it, with the names that its people and organizations have here. */
import { Effect } from "effect"
import { readOrganizationNames } from "../people/operations.ts"
import { readStanding } from "../people/standing.ts"
import { readWholeProposal } from "../proposals/person-operations.ts"
import { readNameOf, type NameOf } from "./proposal-names.ts"
import type { Visitor } from "./visitor.ts"

type WholeProposal = Effect.Success<ReturnType<typeof readWholeProposal>>

export interface SeenProposal extends WholeProposal {
  readonly proposalId: string
  /** Of the author. */
  readonly organizationName: string
  readonly nameOf: NameOf
  /** The organizations for which a recipient may answer; none for whoever is not the recipient. */
  readonly answering: ReadonlyArray<{ readonly organizationId: string; readonly organizationName: string }>
  /** True where the person may stop and restart the agents of their side. */
  readonly mayDelegate: boolean
}

export const readSeenProposal = Effect.fnUntraced(function* ({ person }: Visitor, proposalId: string) {
  const whole = yield* readWholeProposal(person, proposalId)
  const { supplier } = whole.view.proposal
  const isAuthor = whole.view.role === "SUPPLIER"
  const [nameOf, [organizationName = ""], { memberships }] = yield* Effect.all([
    readNameOf(person, peopleOf(whole), [whole.view]),
    readOrganizationNames([supplier.organizationId]),
    readStanding(person)
  ])
  // A recipient stands there with any organization but the author's.
  const own = memberships.filter(
    (one) => one.isInForce && (one.organizationId === supplier.organizationId) === isAuthor
  )
  return {
    ...whole,
    proposalId,
    organizationName,
    nameOf,
    answering: isAuthor ? [] : own.filter(({ authorities }) => authorities.includes("PROPOSAL_MANAGE")),
    mayDelegate: own.some((one) => one.authorities.includes("DELEGATE") && mayStandFor(whole, one.organizationId))
  } satisfies SeenProposal
})

/** Once a recipient has accepted, they stand there with the organization for which they did and no other. */
const mayStandFor = ({ view }: WholeProposal, organizationId: string): boolean =>
  view.proposal.state !== "ACCEPTED" || view.organizationId === organizationId

/** Everybody who acted here, to whom it was published, or who stands for the supplier. */
const peopleOf = ({ view, events }: WholeProposal): ReadonlyArray<string> => [
  view.proposal.supplier.actorId,
  ...view.automation.pausedBy.map(({ by }) => by),
  ...events.flatMap((event) =>
    event.kind === "PUBLISH" ? [event.actor.id, event.payload.recipientActorId] : [event.actor.id]
  )
]
