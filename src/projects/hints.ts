/** What the viewer could do next: hints for planning, never authorization (2.4). They ask what the commands ask. */
import { errorBody, waitsForPerson, type Refused } from "../vocabulary/refusals.ts"
import { possibilities, type Act } from "./acts.ts"
import {
  partyObstacle,
  pauseObstacle,
  personObstacle,
  placeObstacle,
  roomObstacle,
  type Acting,
  type Circumstances,
  type Moment
} from "./obstacles.ts"
import { canMove, revisionMoveFrom, type Project } from "./project.ts"
import type { Instant } from "../vocabulary/instant.ts"

/** Who looks: a side of the project and what it may do right now. */
export interface Viewer {
  readonly by: Acting
  readonly mayAct: (act: Act) => boolean
}

export interface Situation {
  readonly project: Project
  readonly isPaused: boolean
  /** True while the wish for a record stands, or once it was granted. */
  readonly isIssuanceAsked: boolean
  readonly circumstances: Circumstances
  readonly now: Instant
  readonly humanUrl: string
}

/** The three lists of hints, made from one judgement a possibility. */
export const hintsFor = (situation: Situation, viewer: Viewer) => {
  const moment: Moment = { ...situation, by: viewer.by }
  const { project } = situation
  const theirs = possibilities.filter(
    ({ act, move }) =>
      (act !== "REVISE_AGREEMENT" || move === revisionMoveFrom(project.state)) &&
      (act !== "SIGN_AGREEMENT" || project.agreement.terms.signing !== undefined) &&
      partyObstacle(project, move, viewer.by) === undefined
  )
  const judged = theirs
    .map((one) => ({ ...one, obstacle: obstacleTo(one, situation, moment) }))
    .filter(({ obstacle }) => obstacle?.code !== "FORBIDDEN")
  const granted = judged.filter(({ act }) => viewer.mayAct(act))
  const free = granted.filter(({ obstacle }) => obstacle === undefined)
  const acts = unique(granted.map(({ act }) => act))
  const available = unique(free.map(({ act }) => act))
  return {
    availableActions: available,
    blockedActions: acts
      .filter((act) => !available.includes(act))
      .map((act) => blocked(act, mostTelling(granted.filter((one) => one.act === act)), situation)),
    decisionActions: judged.flatMap(({ act, decision, move, obstacle }) =>
      decision === null || !canMove(project.state, move)
        ? []
        : [decided(act, decision, viewer.mayAct(act) ? obstacle : notGranted, situation)]
    )
  }
}

type Possibility = (typeof possibilities)[number]
type Judged = Possibility & { readonly obstacle: Refused | undefined }

/** In the order in which the command would be refused. */
const obstacleTo = ({ move }: Possibility, { project, isPaused }: Situation, moment: Moment): Refused | undefined =>
  pauseObstacle(isPaused, move, moment) ??
  roomObstacle(project, move) ??
  placeObstacle(project, move, moment) ??
  personObstacle(project, move, moment)

/** Of several moves of one act, the one that the state would allow says most. */
const mostTelling = (judged: ReadonlyArray<Judged>): Refused =>
  (judged.find(({ obstacle }) => obstacle?.code !== "STATE_CONFLICT") ?? judged[0])!.obstacle!

const notGranted = "NOT_GRANTED"

const blocked = (action: Act, obstacle: Refused, { humanUrl }: Situation) => ({
  action,
  reason: obstacle.code,
  nextAction: nextActionOf(obstacle),
  requiredHumanAction: waitsForPerson(obstacle) ? (obstacle.facts.requiredHumanAction ?? obstacle.code) : null,
  humanUrl
})

const decided = (
  action: Act,
  decision: string,
  obstacle: Refused | typeof notGranted | undefined,
  situation: Situation
) => {
  const reason = obstacle === undefined || obstacle === notGranted ? (obstacle ?? null) : obstacle.code
  return {
    action,
    decision,
    allowed: obstacle === undefined,
    reason,
    nextAction:
      obstacle === undefined ? action : obstacle === notGranted ? "ASK_OWNER_TO_REAUTHORIZE" : nextActionOf(obstacle),
    humanUrl: situation.humanUrl
  }
}

const nextActionOf = (obstacle: Refused): string => errorBody(obstacle).nextAction ?? "REREAD_PROJECT"

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
