/** The available and blocked actions of a viewer, derived from the commands' guards. Hints, never authorization. */
import type { Action, Role } from "../access/actions.ts"
import {
  blockedAction,
  historyLimitReason,
  reservedForPeople,
  impossibleStep,
  resumeStep,
  type AwaitedStep
} from "../projects/awaited-step.ts"
import { limits } from "../vocabulary/limits.ts"
import type { Refusal } from "../vocabulary/refusals.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import { pauseGuard, personGuard, historyLimitGuard, partyGuard, stateGuard } from "./guards.ts"
import { proposalMoves, type ProposalMove, type ProposalState } from "./proposal.ts"

export interface HintContext {
  readonly proposal: Parameters<typeof historyLimitGuard>[0] &
    Parameters<typeof stateGuard>[0] &
    Parameters<typeof personGuard>[0]
  /** The sides that have paused it. */
  readonly pausedBy: ReadonlyArray<Role>
  readonly by: PartyActor
  readonly mayAct: (action: Action) => boolean
  readonly humanUrl: string
}

export const proposalHints = (situation: HintContext) => {
  const { proposal, pausedBy, by, mayAct, humanUrl } = situation
  const isPaused = pausedBy.length > 0
  const moves = (Object.keys(proposalMoves) as ReadonlyArray<ProposalMove>)
    .filter((move) => partyGuard(move, by) === undefined && mayAct(proposalMoves[move].action))
    .map((move) => ({
      action: proposalMoves[move].action,
      refusal:
        pauseGuard({ isPaused }, by) ??
        historyLimitGuard(proposal, move) ??
        stateGuard(proposal, move) ??
        personGuard(proposal, move, by)
    }))
  const available = [...new Set(moves.flatMap(({ action, refusal }) => (refusal === undefined ? [action] : [])))]
  const blocked = new Map(
    // An action that is not available has only refusals.
    moves.flatMap(({ action, refusal }) => (available.includes(action) ? [] : [[action, refusal!] as const]))
  )
  return {
    availableActions: available,
    blockedActions: [...blocked].map(([action, refused]) =>
      blockedAction({ action, refused, step: awaitedStep(refused, situation) }, by.side, available, humanUrl)
    )
  }
}

const awaitedStep = (refusal: Refusal, { proposal, pausedBy, by }: HintContext): AwaitedStep<Action> => {
  const { state } = proposal
  const step = stepIn[state]
  if (step === undefined) return impossibleStep(`The proposal has ended in ${state}; nothing more happens to it.`)
  switch (refusal.code) {
    case "AGENT_PAUSED":
      return resumeStep(pausedBy, by.side)
    case "HUMAN_DECISION_REQUIRED":
      return reservedForPeople(refusal, by.side)
    case "DELIVERY_HISTORY_LIMIT_REACHED":
      return {
        party: "SUPPLIER",
        acts: [],
        humanAction: refusal.facts.requiredHumanAction ?? refusal.code,
        reason: `${historyLimitReason(limits.eventsPerProposal, "proposal")}; a person of the supplier's side decides how to continue.`
      }
    default:
      return step
  }
}

const stepOf = (party: Role, action: Action, reason: string): AwaitedStep<Action> => ({
  party,
  acts: [action],
  humanAction: action,
  reason
})

/** The next step in each state; undefined in a final one. */
const stepIn: { readonly [S in ProposalState]: AwaitedStep<Action> | undefined } = {
  DRAFT: stepOf("SUPPLIER", "PUBLISH_PROPOSAL", "The supplier has a version that is not published yet."),
  PUBLISHED: stepOf("BUYER", "RESPOND_PROPOSAL", "The recipient answers the published version."),
  CHANGES_REQUESTED: stepOf(
    "SUPPLIER",
    "UPDATE_PROPOSAL",
    "The recipient asked for changes; the supplier updates the proposal."
  ),
  ACCEPTED: undefined,
  DECLINED: undefined,
  WITHDRAWN: undefined
}
