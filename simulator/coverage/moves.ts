/** All transitions of projects, proposals, publications and Result Orders by caller, and those in a trace. */
import type { Role } from "../../src/access/actions.ts"
import { orderMoveNamed, orderMoves, type OrderMoveName, type OrderState } from "../../src/commerce/moves.ts"
import { states, type State } from "../../src/projects/project.ts"
import { isPersonOnly, isForSide, moves, type MoveName } from "../../src/projects/moves.ts"
import { proposalMoves, type ProposalMove, type ProposalState } from "../../src/proposals/proposal.ts"
import {
  publicationActs,
  publicationMoves,
  type PublicationAct,
  type PublicationState
} from "../../src/publications/publication.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import { orderMovesIn } from "./order-moves.ts"
import { movesIn } from "./project-moves.ts"
import { proposalMovesIn } from "./proposal-moves.ts"
import { publicationMovesIn } from "./publication-moves.ts"

const sides = ["BUYER", "SUPPLIER"] as const satisfies ReadonlyArray<Role>

/** A supplier's member counts as the representative. */
const callers: { readonly [side in Role]: { readonly agent: string; readonly person: string } } = {
  BUYER: { agent: "buyer's agent", person: "buyer" },
  SUPPLIER: { agent: "supplier's agent", person: "representative" }
}

const ofProject = (state: string, move: string, caller: string): string =>
  `project ${state} ${move} by the ${caller === "member" ? callers.SUPPLIER.person : caller}`

const ofProposal = (state: string, move: string, caller: string): string => `proposal ${state} ${move} by the ${caller}`

/** Without the acceptance of an invitation, which is covered as an event. */
const projectMoveNames = (Object.keys(moves) as ReadonlyArray<MoveName>)
  .filter((move) => move !== "ACCEPT_INVITATION")
  .flatMap((move) =>
    sides
      .filter((side) => isForSide(move, side))
      .flatMap((side) => {
        const { agent, person } = callers[side]
        const name = move === "DISMISS_CONCERN" ? `${move}_OF_${side}` : move
        const from: ReadonlyArray<State> = moves[move].from
        return from.flatMap((state) =>
          (isPersonOnly(move) ? [person] : [agent, person]).map((caller) => ofProject(state, name, caller))
        )
      })
  )

/** Commands outside the transition table: they change no state and are possible in every state. */
const withoutTransition = states.flatMap((state) =>
  sides.flatMap((side) => [
    ofProject(state, "HANDOFF", callers[side].agent),
    ofProject(state, "PAUSE", callers[side].person),
    ofProject(state, "RESUME", callers[side].person)
  ])
)

/** Any member who manages proposals writes and answers them. */
const personOf = (side: Role): string => (side === "BUYER" ? "buyer" : "supplier")

const proposalMoveNames = (Object.keys(proposalMoves) as ReadonlyArray<ProposalMove>).flatMap((move) => {
  const { by, from }: { readonly by: Role; readonly from: ReadonlyArray<ProposalState> } = proposalMoves[move]
  return from.flatMap((state) => [callers[by].agent, personOf(by)].map((caller) => ofProposal(state, move, caller)))
})

const ofPublication = (state: PublicationState | undefined, act: PublicationAct, side: Role): string =>
  `publication ${state ?? "(none)"} ${act} by the ${callers[side].person}`

const publicationMoveNames = publicationActs.flatMap((act) => {
  const { by, from } = publicationMoves[act]
  return by.flatMap((side) => (from.length === 0 ? [undefined] : from).map((state) => ofPublication(state, act, side)))
})

const parties = { BUYER: callers.BUYER.person, SUPPLIER: callers.SUPPLIER.person, SERVICE: "service" }

const ofOrder = (state: OrderState | undefined, move: OrderMoveName): string =>
  `order ${state ?? "(none)"} ${move} by the ${parties[orderMoveNamed(move).by]}`

const orderMoveNames = (Object.keys(orderMoves) as ReadonlyArray<OrderMoveName>).flatMap((move) => {
  // Where an attempt is open, it refuses another one in every case.
  const from = orderMoveNamed(move).from.filter((state) => move !== "ATTEMPT_OPENED" || state !== "PAYING")
  return (from.length === 0 ? [undefined] : from).map((state) => ofOrder(state, move))
})

export const moveNames: ReadonlyArray<string> = [
  ...projectMoveNames,
  ...withoutTransition,
  ...proposalMoveNames,
  ...publicationMoveNames,
  ...orderMoveNames
]

export const moveNamesIn = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<string> => [
  ...movesIn(lines).map(({ state, name, caller }) => ofProject(state, name, caller)),
  ...proposalMovesIn(lines).map(({ state, move, side, caller }) =>
    ofProposal(state, move, caller === "agent" ? callers[side].agent : personOf(side))
  ),
  ...publicationMovesIn(lines).map(({ state, act, side }) => ofPublication(state, act, side)),
  ...orderMovesIn(lines).map(({ state, move }) => ofOrder(state, move))
]
