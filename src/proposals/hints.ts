/** What the viewer could do next with a proposal: hints for planning, never authorization. They ask what the commands ask. */
import type { Action } from "../access/actions.ts"
import { errorBody, waitsForPerson, type Refused } from "../vocabulary/refusals.ts"
import { pauseObstacle, personObstacle, roomObstacle, sideObstacle, stateObstacle, type Acting } from "./obstacles.ts"
import { proposalMoves, type ProposalMove } from "./proposal.ts"

export interface Situation {
  readonly judged: Parameters<typeof pauseObstacle>[0] &
    Parameters<typeof roomObstacle>[0] &
    Parameters<typeof stateObstacle>[0] &
    Parameters<typeof personObstacle>[0]
  readonly by: Acting
  readonly mayAct: (action: Action) => boolean
  readonly humanUrl: string
}

export const proposalHints = ({ judged, by, mayAct, humanUrl }: Situation) => {
  const theirs = (Object.keys(proposalMoves) as ReadonlyArray<ProposalMove>)
    .filter((move) => sideObstacle(move, by) === undefined && mayAct(actionOfMove(move)))
    .map((move) => ({
      action: actionOfMove(move),
      obstacle:
        pauseObstacle(judged, by) ??
        roomObstacle(judged, move) ??
        stateObstacle(judged, move) ??
        personObstacle(judged, move, by)
    }))
  const available = [...new Set(theirs.flatMap(({ action, obstacle }) => (obstacle === undefined ? [action] : [])))]
  const blocked = new Map(
    theirs.flatMap(({ action, obstacle }) =>
      obstacle === undefined || available.includes(action) ? [] : [[action, obstacle] as const]
    )
  )
  return {
    availableActions: available,
    blockedActions: [...blocked].map(([action, obstacle]) => blockedBy(action, obstacle, humanUrl))
  }
}

const actionOfMove = (move: ProposalMove): Action =>
  proposalMoves[move].by === "BUYER" ? "RESPOND_PROPOSAL" : (`${move}_PROPOSAL` as Action)

const blockedBy = (action: Action, obstacle: Refused, humanUrl: string) => ({
  action,
  reason: obstacle.code,
  nextAction: errorBody(obstacle).nextAction ?? "REREAD_PROPOSAL",
  requiredHumanAction: waitsForPerson(obstacle) ? (obstacle.facts.requiredHumanAction ?? obstacle.code) : null,
  humanUrl
})
