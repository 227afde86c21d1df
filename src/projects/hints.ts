/** What the viewer could do next: hints for planning, never authorization (2.4). */
import type { Action, HumanDecision, Role } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { submissionDueAt } from "./commands/submit.ts"
import { canMove, moves, type MoveName, type Project } from "./project.ts"

/** Who looks: a side of the project and what it may do right now. */
export interface Viewer {
  readonly role: Role
  readonly mayAct: (action: Action) => boolean
  readonly isPerson: boolean
}

export interface Situation {
  readonly project: Project
  readonly isPaused: boolean
  readonly isIssuanceOpen: boolean
  readonly now: Instant
  readonly humanUrl: string
}

interface Possibility {
  readonly action: Action
  readonly decision: string | null
  readonly move: MoveName
  readonly keptBy: ReadonlyArray<HumanDecision>
}

const possibilities: ReadonlyArray<Possibility> = [
  { action: "RESPOND_TERMS", decision: "ACCEPT", move: "RESPOND_ACCEPT", keptBy: ["RESPOND"] },
  { action: "RESPOND_TERMS", decision: "REQUEST_CHANGES", move: "RESPOND_REQUEST_CHANGES", keptBy: ["RESPOND"] },
  { action: "RESPOND_TERMS", decision: "DECLINE", move: "RESPOND_DECLINE", keptBy: ["RESPOND"] },
  { action: "SUBMIT_MATERIALS", decision: null, move: "SUBMIT", keptBy: [] },
  { action: "REVIEW_DELIVERY", decision: "REQUEST_CHANGES", move: "REVIEW_REQUEST_CHANGES", keptBy: ["REVIEW"] },
  { action: "REVIEW_DELIVERY", decision: "REQUEST_EVIDENCE", move: "REVIEW_REQUEST_EVIDENCE", keptBy: ["REVIEW"] },
  { action: "REVIEW_DELIVERY", decision: "REJECT", move: "REVIEW_REJECT", keptBy: ["REVIEW"] },
  { action: "CONFIRM_COMPLETION", decision: "ACCEPT", move: "REVIEW_ACCEPT", keptBy: ["REVIEW", "ACCEPT"] },
  { action: "ISSUE_RESULT_RECORD", decision: null, move: "ISSUE", keptBy: ["ISSUE"] }
]

/** The three lists of hints, made from one judgement a possibility. */
export const hintsFor = (situation: Situation, viewer: Viewer) => {
  const open = possibilities.filter(
    ({ move }) => moves[move].by === viewer.role && canMove(situation.project.state, move) && isOpen(situation, move)
  )
  const judged = open.map((one) => ({ ...one, obstacle: obstacleTo(one, situation, viewer) }))
  const granted = judged.filter(({ action }) => viewer.mayAct(action))
  const free = granted.filter(({ obstacle }) => obstacle === undefined)
  const waiting = granted.filter(
    ({ obstacle, action }) => obstacle?.waits === true && !free.some((one) => one.action === action)
  )
  return {
    availableActions: unique(free.map(({ action }) => action)),
    blockedActions: uniqueBy(waiting, ({ action }) => action).map(({ action, obstacle }) => ({
      action,
      reason: obstacle!.reason,
      nextAction: "WAIT_FOR_HUMAN" as const,
      requiredHumanAction: obstacle!.requiredHumanAction ?? obstacle!.reason,
      humanUrl: situation.humanUrl
    })),
    decisionActions: judged
      .filter((one): one is typeof one & { readonly decision: string } => one.decision !== null)
      .map(({ action, decision, obstacle }) => ({
        action,
        decision,
        allowed: obstacle === undefined,
        reason: obstacle?.reason ?? null,
        nextAction: obstacle === undefined ? action : obstacle.waits ? "WAIT_FOR_HUMAN" : obstacle.nextAction,
        humanUrl: situation.humanUrl
      }))
  }
}

interface Obstacle {
  readonly reason: string
  /** True where only a person can remove it. */
  readonly waits: boolean
  readonly nextAction: string
  readonly requiredHumanAction?: string
}

const obstacleTo = (possibility: Possibility, situation: Situation, viewer: Viewer): Obstacle | undefined => {
  const { project, now } = situation
  if (!viewer.mayAct(possibility.action)) {
    return { reason: "NOT_GRANTED", waits: false, nextAction: "ASK_OWNER_TO_REAUTHORIZE" }
  }
  if (!viewer.isPerson && situation.isPaused) {
    return { reason: "AGENT_PAUSED", waits: true, nextAction: "WAIT_FOR_HUMAN", requiredHumanAction: "RESUME_AGENTS" }
  }
  if (isPastDue(project, possibility.move, now)) {
    return { reason: "DATE_PASSED", waits: false, nextAction: "REQUEST_DATE_CHANGE" }
  }
  const kept = project.agreement.terms.subjectRequirements.find((one) =>
    one.humanDecisions.some((decision) => possibility.keptBy.includes(decision))
  )
  if (!viewer.isPerson && kept !== undefined) {
    const reason = "HUMAN_DECISION_REQUIRED"
    return { reason, waits: true, nextAction: "WAIT_FOR_HUMAN", requiredHumanAction: kept.statement }
  }
  return undefined
}

const isOpen = ({ project, isIssuanceOpen }: Situation, move: MoveName): boolean =>
  move !== "ISSUE" || (project.recordId === null && !isIssuanceOpen)

const isPastDue = (project: Project, move: MoveName, now: Instant): boolean => {
  const { deadline, reviewDeadline } = project.agreement.terms
  if (move === "RESPOND_ACCEPT") return now > deadline
  if (move === "SUBMIT") return now > submissionDueAt(project)
  return move.startsWith("REVIEW_") && now > reviewDeadline
}

/** Who has to do what next, seen from one side. */
export const nextActionFor = (situation: Situation, viewer: Viewer) => {
  const { project } = situation
  const step = nextStep(situation)
  const party: Role | "NONE" = step.party
  return {
    party,
    viewer:
      party === "NONE" ? ("NONE" as const) : party === viewer.role ? ("NEEDS_YOU" as const) : ("WAITING" as const),
    action: step.action,
    agentAction: step.agentAction,
    reason: step.reason,
    dueAt: step.dueAt,
    agreementVersion: project.agreement.version,
    expectedHeadEventHash: project.head
  }
}

interface Step {
  readonly party: Role | "NONE"
  readonly action: string
  /** The action of a grant that could do it; null where only a person can, or nothing is left. */
  readonly agentAction: Action | null
  readonly reason: string
  readonly dueAt: Instant | null
}

const nextStep = (situation: Situation): Step => {
  const { project } = situation
  const { deadline, reviewDeadline } = project.agreement.terms
  const human = { agentAction: null, dueAt: null }
  switch (project.state) {
    case "AWAITING_SUPPLIER":
      return beforeTerms(project)
    case "LOCKED":
      return {
        party: "SUPPLIER",
        action: "SUBMIT",
        agentAction: "SUBMIT_MATERIALS",
        reason: "The terms are agreed; materials are awaited.",
        dueAt: deadline
      }
    case "CHANGES_REQUESTED":
      return {
        party: "SUPPLIER",
        action: "SUBMIT",
        agentAction: "SUBMIT_MATERIALS",
        reason: "The buyer asked for changes.",
        dueAt: reviewDeadline
      }
    case "AWAITING_EVIDENCE":
      return {
        party: "SUPPLIER",
        action: "SUBMIT",
        agentAction: "SUBMIT_MATERIALS",
        reason: "The buyer asked for evidence.",
        dueAt: reviewDeadline
      }
    case "SUBMITTED":
      return {
        party: "BUYER",
        action: "REVIEW",
        agentAction: "REVIEW_DELIVERY",
        reason: "The buyer decides this submission.",
        dueAt: reviewDeadline
      }
    case "BUYER_CONFIRMED":
      return afterAcceptance(situation)
    case "AGREEMENT_CHANGES_REQUESTED":
      return {
        party: "BUYER",
        action: "REVISE_AGREEMENT",
        ...human,
        reason: "The supplier asked for other terms; people renegotiate."
      }
    case "CONFIRMATION_CONTESTED":
      return {
        party: "BUYER",
        action: "RESOLVE_CONCERN",
        ...human,
        reason: "A concern pauses reliance on the confirmation."
      }
    case "SUPPLIER_DECLINED":
    case "BUYER_REJECTED":
    case "CONFIRMATION_WITHDRAWN":
    case "SUPERSEDED":
      return { party: "NONE", action: "NONE", ...human, reason: "Nothing more happens under this agreement." }
  }
}

const beforeTerms = ({ supplier, agreement }: Project): Step => {
  const dueAt = agreement.terms.deadline
  return supplier.actorId === null
    ? {
        party: "BUYER",
        action: "INVITE_SUPPLIER",
        agentAction: null,
        reason: "No person is named as the supplier yet; a person of the buyer's side invites one.",
        dueAt
      }
    : {
        party: "SUPPLIER",
        action: "RESPOND",
        agentAction: "RESPOND_TERMS",
        reason: "The named supplier answers the exact terms.",
        dueAt
      }
}

const afterAcceptance = ({ project, isIssuanceOpen }: Situation): Step => {
  const none = { agentAction: null, dueAt: null }
  if (project.recordId !== null) return { party: "NONE", action: "NONE", ...none, reason: "The record was issued." }
  const step = { party: "BUYER", action: "ISSUE_RECORD", dueAt: null } as const
  return isIssuanceOpen
    ? { ...step, agentAction: null, reason: "The record was asked for; it is issued once a result credit covers it." }
    : {
        ...step,
        agentAction: "ISSUE_RESULT_RECORD",
        reason: "The acceptance is recorded; its record can be issued."
      }
}

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

const uniqueBy = <A>(values: ReadonlyArray<A>, key: (value: A) => string): ReadonlyArray<A> =>
  values.filter((value, index) => values.findIndex((other) => key(other) === key(value)) === index)
