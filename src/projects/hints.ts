/** Hints for planning, never authorization (2.4), derived from the same guards as the commands. */
import type { Role } from "../access/actions.ts"
import type { Refusal } from "../vocabulary/refusals.ts"
import { possibilities, type Possibility } from "./acts.ts"
import { type Act, canMove, revisionMoveFrom } from "./moves.ts"
import { awaitedStep, blockedAction, nextActionOf } from "./awaited-step.ts"
import { readOnlyGuard } from "./lost-head.ts"
import { partyGuard, pauseGuard, personGuard, stateGuard, historyLimitGuard } from "./guards.ts"
import type { PartyActor, RelatedFacts, GuardContext } from "./guard-context.ts"
import type { Project } from "./project.ts"
import type { Instant } from "../vocabulary/instant.ts"

/** A viewer of a project: the represented side and its current authority. */
export interface Viewer {
  readonly by: PartyActor
  readonly mayAct: (act: Act) => boolean
}

export interface HintContext {
  readonly project: Project
  /** The sides that hold a pause. */
  readonly pausedBy: ReadonlyArray<Role>
  /** True while an issuance request is pending or once the record is issued. */
  readonly isIssuanceRequested: boolean
  /** True while the buyer's organization has a result credit. */
  readonly isCovered: boolean
  readonly relatedFacts: RelatedFacts
  readonly now: Instant
  readonly humanUrl: string
}

/** The three lists of hints, from one evaluation of the guards for each possibility. */
export const hintsFor = (situation: HintContext, viewer: Viewer) => {
  const moment: GuardContext = { ...situation, by: viewer.by }
  const { project } = situation
  const own = possibilities.filter(
    ({ act, move }) =>
      (act !== "REVISE_AGREEMENT" || move === revisionMoveFrom(project.state)) &&
      (act !== "SIGN_AGREEMENT" || project.agreement.terms.signing !== undefined) &&
      partyGuard(project, move, viewer.by) === undefined
  )
  const evaluations = own
    .map((one) => ({ ...one, refused: firstRefusal(one, situation, moment) }))
    .filter(({ refused }) => refused?.code !== "FORBIDDEN")
  const granted = evaluations.filter(({ act }) => viewer.mayAct(act))
  const allowed = granted.filter(({ refused }) => refused === undefined)
  const acts = unique(granted.map(({ act }) => act))
  const available = unique(allowed.map(({ act }) => act))
  return {
    availableActions: available,
    blockedActions: acts
      .filter((act) => !available.includes(act))
      .map((act) => blockedHint(mostSpecific(granted.filter((one) => one.act === act)), situation, viewer, available)),
    decisionActions: evaluations.flatMap(({ refused, ...possibility }) =>
      possibility.decision === null || !canMove(project.state, possibility.move)
        ? []
        : [
            {
              action: possibility.act,
              decision: possibility.decision,
              ...(viewer.mayAct(possibility.act)
                ? decisionHint({ ...possibility, refused }, situation, viewer, available)
                : notGranted),
              humanUrl: situation.humanUrl
            }
          ]
    )
  }
}

type Evaluation = Possibility & { readonly refused: Refusal | undefined }

/** The guards in the order of the command's checks. */
const firstRefusal = (
  { move }: Possibility,
  { project, pausedBy }: HintContext,
  moment: GuardContext
): Refusal | undefined =>
  readOnlyGuard(project) ??
  pauseGuard(pausedBy.length > 0, move, moment) ??
  historyLimitGuard(project, move) ??
  stateGuard(project, move, moment) ??
  personGuard(project, move, moment)

/** Of several moves of one act, the one that the state allows explains the refusal best. */
const mostSpecific = (evaluations: ReadonlyArray<Evaluation>): BlockedAct => {
  const { refused, ...one } = evaluations.find(({ refused }) => refused?.code !== "STATE_CONFLICT") ?? evaluations[0]!
  return { ...one, refused: refused! }
}

type BlockedAct = Possibility & { readonly refused: Refusal }

const blockedHint = (
  { refused, ...possibility }: BlockedAct,
  situation: HintContext,
  { by }: Viewer,
  available: ReadonlyArray<Act>
) => {
  const step = awaitedStep(refused, possibility, situation, by.side)
  return blockedAction({ action: possibility.act, refused, step }, by.side, available, situation.humanUrl)
}

const notGranted = {
  allowed: false,
  code: "NOT_GRANTED",
  reason: "The authority of the viewer does not hold this action.",
  nextAction: "ASK_OWNER_TO_REAUTHORIZE"
} as const

const decisionHint = (
  { refused, ...possibility }: Evaluation,
  situation: HintContext,
  { by }: Viewer,
  available: ReadonlyArray<Act>
) => {
  if (refused === undefined) return { allowed: true, code: null, reason: null, nextAction: possibility.act }
  const step = awaitedStep(refused, possibility, situation, by.side)
  const nextAction = nextActionOf(step, by.side, available)
  return { allowed: false, code: refused.code, reason: step.reason, nextAction }
}

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
