/** What the viewer could do next: hints for planning, never authorization (2.4). They ask what the commands ask. */
import type { Role } from "../access/actions.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import { possibilities, type Act, type Possibility } from "./acts.ts"
import { awaitedStep, nextActionOf } from "./awaited-step.ts"
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
  /** The sides that hold a pause. */
  readonly pausedBy: ReadonlyArray<Role>
  /** True while the wish for a record stands, or once it was granted. */
  readonly isIssuanceAsked: boolean
  /** True while the buyer's organization has a credit for a record. */
  readonly isCovered: boolean
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
      .map((act) => blocked(mostTelling(granted.filter((one) => one.act === act)), situation, viewer, available)),
    decisionActions: judged.flatMap(({ obstacle, ...possibility }) =>
      possibility.decision === null || !canMove(project.state, possibility.move)
        ? []
        : [
            {
              action: possibility.act,
              decision: possibility.decision,
              ...(viewer.mayAct(possibility.act)
                ? decided({ ...possibility, obstacle }, situation, viewer, available)
                : notGranted),
              humanUrl: situation.humanUrl
            }
          ]
    )
  }
}

type Judged = Possibility & { readonly obstacle: Refused | undefined }

/** In the order in which the command would be refused. */
const obstacleTo = ({ move }: Possibility, { project, pausedBy }: Situation, moment: Moment): Refused | undefined =>
  pauseObstacle(pausedBy.length > 0, move, moment) ??
  roomObstacle(project, move) ??
  placeObstacle(project, move, moment) ??
  personObstacle(project, move, moment)

/** Of several moves of one act, the one that the state would allow says most. */
const mostTelling = (judged: ReadonlyArray<Judged>): BlockedAct => {
  const { obstacle, ...one } = judged.find(({ obstacle }) => obstacle?.code !== "STATE_CONFLICT") ?? judged[0]!
  return { ...one, obstacle: obstacle! }
}

type BlockedAct = Possibility & { readonly obstacle: Refused }

const blocked = (
  { obstacle, ...possibility }: BlockedAct,
  situation: Situation,
  { by }: Viewer,
  available: ReadonlyArray<Act>
) => {
  const awaited = awaitedStep(obstacle, possibility, situation, by.side)
  const nextAction = nextActionOf(awaited, by.side, available)
  return {
    action: possibility.act,
    code: obstacle.code,
    reason: awaited.reason,
    nextAction,
    requiredHumanAction: nextAction === "WAIT_FOR_HUMAN" ? awaited.humanAction : null,
    humanUrl: situation.humanUrl
  }
}

const notGranted = {
  allowed: false,
  code: "NOT_GRANTED",
  reason: "The authority of the viewer does not hold this action.",
  nextAction: "ASK_OWNER_TO_REAUTHORIZE"
} as const

const decided = (
  { obstacle, ...possibility }: Judged,
  situation: Situation,
  { by }: Viewer,
  available: ReadonlyArray<Act>
) => {
  if (obstacle === undefined) return { allowed: true, code: null, reason: null, nextAction: possibility.act }
  const awaited = awaitedStep(obstacle, possibility, situation, by.side)
  const nextAction = nextActionOf(awaited, by.side, available)
  return { allowed: false, code: obstacle.code, reason: awaited.reason, nextAction }
}

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
