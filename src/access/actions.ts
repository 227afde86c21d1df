/** The actions of grants: the sides that may hold each, and the membership authority that each needs. */
import type { Authority } from "../people/membership.ts"

export const actions = [
  "CREATE_DRAFT",
  "CREATE_PROJECT",
  "CREATE_PROPOSAL",
  "UPDATE_PROPOSAL",
  "PUBLISH_PROPOSAL",
  "RESPOND_PROPOSAL",
  "WITHDRAW_PROPOSAL",
  "RESPOND_TERMS",
  "SUBMIT_MATERIALS",
  "REVIEW_DELIVERY",
  "CONFIRM_COMPLETION",
  "ISSUE_RESULT_RECORD",
  "REQUEST_DATE_CHANGE",
  "RAISE_CONCERN"
] as const
export type Action = (typeof actions)[number]

export const roles = ["BUYER", "SUPPLIER"] as const
export type Role = (typeof roles)[number]

interface Rule {
  readonly roles: ReadonlyArray<Role>
  readonly needs: Authority | { readonly [R in Role]: Authority }
}

const eitherSide: Rule = {
  roles: ["BUYER", "SUPPLIER"],
  needs: { BUYER: "DELIVERY_REVIEW", SUPPLIER: "MATERIALS_SUBMIT" }
}

const rules: { readonly [A in Action]: Rule } = {
  CREATE_DRAFT: { roles: ["BUYER", "SUPPLIER"], needs: "RESULT_DRAFT_CREATE" },
  CREATE_PROJECT: { roles: ["BUYER"], needs: "AGREEMENT_CREATE" },
  CREATE_PROPOSAL: { roles: ["SUPPLIER"], needs: "PROPOSAL_MANAGE" },
  UPDATE_PROPOSAL: { roles: ["SUPPLIER"], needs: "PROPOSAL_MANAGE" },
  PUBLISH_PROPOSAL: { roles: ["SUPPLIER"], needs: "PROPOSAL_MANAGE" },
  RESPOND_PROPOSAL: { roles: ["BUYER"], needs: "PROPOSAL_MANAGE" },
  WITHDRAW_PROPOSAL: { roles: ["SUPPLIER"], needs: "PROPOSAL_MANAGE" },
  RESPOND_TERMS: { roles: ["SUPPLIER"], needs: "TERMS_RESPOND" },
  SUBMIT_MATERIALS: { roles: ["SUPPLIER"], needs: "MATERIALS_SUBMIT" },
  REVIEW_DELIVERY: { roles: ["BUYER"], needs: "DELIVERY_REVIEW" },
  CONFIRM_COMPLETION: { roles: ["BUYER"], needs: "COMPLETION_CONFIRM" },
  ISSUE_RESULT_RECORD: { roles: ["BUYER"], needs: "RECORD_ISSUE" },
  REQUEST_DATE_CHANGE: eitherSide,
  RAISE_CONCERN: eitherSide
}

/** True where a grant of that side may hold the action. */
export const isForRole = (action: Action, role: Role): boolean => rules[action].roles.includes(role)

export const authorityFor = (action: Action, role: Role): Authority => {
  const { needs } = rules[action]
  return typeof needs === "string" ? needs : needs[role]
}

/** Actions outside every preset: each needs its own consent, given within five minutes of a sign-in. */
export const guardedActions = ["CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"] as const satisfies ReadonlyArray<Action>
export type GuardedAction = (typeof guardedActions)[number]

export const isGuarded = (action: Action): action is GuardedAction =>
  guardedActions.some((guarded) => guarded === action)

const everyPartyMay: ReadonlyArray<Action> = ["REQUEST_DATE_CHANGE", "RAISE_CONCERN"]

/** Presets of actions to start from, by the side that the agent acts for. */
export const presets: { readonly [R in Role]: { readonly [name: string]: ReadonlyArray<Action> } } = {
  BUYER: { READ_ONLY: [], REVIEW: ["REVIEW_DELIVERY", ...everyPartyMay] },
  SUPPLIER: { READ_ONLY: [], SUBMIT: ["SUBMIT_MATERIALS", ...everyPartyMay] }
}

/** The decisions that a subject requirement can reserve for people. */
export const humanDecisions = ["RESPOND", "REVIEW", "ACCEPT", "ISSUE"] as const
export type HumanDecision = (typeof humanDecisions)[number]

export type SubjectRequirement = {
  readonly id: string
  readonly statement: string
  readonly humanDecisions: ReadonlyArray<HumanDecision>
}
