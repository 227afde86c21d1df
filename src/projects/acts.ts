/** The acts on a project, as hints and pages name them, with their required authorities and moves. */
import { actions, authorityFor, type Action, type Role } from "../access/actions.ts"
import type { Authority } from "../people/membership.ts"
import type { Command } from "./decide.ts"
import type { MoveName } from "./project.ts"

/** The acts that cannot be granted to agents. */
export const personActs = [
  "SIGN_AGREEMENT",
  "LIFT_HOLD",
  "DISMISS_CONCERN",
  "UPHOLD_CONCERN",
  "WITHDRAW_CONFIRMATION",
  "CHANGE_REPRESENTATIVE",
  "REVISE_AGREEMENT"
] as const
export type PersonAct = (typeof personActs)[number]

/** A grantable action or an act reserved for people. */
export type Act = Action | PersonAct

export const acts: ReadonlyArray<Act> = [...actions, ...personActs]

export const isAction = (act: Act): act is Action => actions.some((action) => action === act)

/** The act of a command; a hand-off requires any granted action. */
export const actOf = (command: Command): Act | "HANDOFF" => {
  switch (command.kind) {
    case "RESPOND":
      return "RESPOND_TERMS"
    case "SUBMIT":
      return "SUBMIT_MATERIALS"
    case "REVIEW":
      // REVIEW_DELIVERY does not include acceptance.
      return command.input.action === "ACCEPT" ? "CONFIRM_COMPLETION" : "REVIEW_DELIVERY"
    case "ISSUE_RECORD":
      return "ISSUE_RESULT_RECORD"
    case "DATE_REVISION":
      return "REQUEST_DATE_CHANGE"
    case "CONCERN":
      return "RAISE_CONCERN"
    case "SIGN":
      return "SIGN_AGREEMENT"
    case "REVISE":
      return "REVISE_AGREEMENT"
    case "RESOLVE_CONCERN":
      return command.input.resolution === "UPHELD" ? "UPHOLD_CONCERN" : "DISMISS_CONCERN"
    default:
      return command.kind
  }
}

/** The authority that an act requires of a membership; null for the named signer, who needs none. */
export const authorityForAct = (act: Act, side: Role, isNamedSigner: boolean): Authority | null => {
  switch (act) {
    case "SIGN_AGREEMENT":
      if (isNamedSigner) return null
      return side === "BUYER" ? "AGREEMENT_CREATE" : "TERMS_RESPOND"
    case "LIFT_HOLD":
    case "DISMISS_CONCERN":
      return authorityFor("REQUEST_DATE_CHANGE", side)
    case "UPHOLD_CONCERN":
    case "WITHDRAW_CONFIRMATION":
      return "COMPLETION_CONFIRM"
    case "CHANGE_REPRESENTATIVE":
      return "MEMBERS_MANAGE"
    case "REVISE_AGREEMENT":
      return "AGREEMENT_CREATE"
    default:
      return authorityFor(act, side)
  }
}

export interface Possibility {
  readonly act: Act
  /** The decision of this move; null for an act without decisions. */
  readonly decision: string | null
  readonly move: MoveName
}

/** Every act with each of its moves, in the order of the hints. */
export const possibilities: ReadonlyArray<Possibility> = [
  { act: "RESPOND_TERMS", decision: "ACCEPT", move: "RESPOND_ACCEPT" },
  { act: "RESPOND_TERMS", decision: "REQUEST_CHANGES", move: "RESPOND_REQUEST_CHANGES" },
  { act: "RESPOND_TERMS", decision: "DECLINE", move: "RESPOND_DECLINE" },
  { act: "SIGN_AGREEMENT", decision: null, move: "SIGN_AGREEMENT" },
  { act: "SUBMIT_MATERIALS", decision: null, move: "SUBMIT" },
  { act: "REVIEW_DELIVERY", decision: "REQUEST_CHANGES", move: "REVIEW_REQUEST_CHANGES" },
  { act: "REVIEW_DELIVERY", decision: "REQUEST_EVIDENCE", move: "REVIEW_REQUEST_EVIDENCE" },
  { act: "REVIEW_DELIVERY", decision: "REJECT", move: "REVIEW_REJECT" },
  { act: "CONFIRM_COMPLETION", decision: "ACCEPT", move: "REVIEW_ACCEPT" },
  { act: "ISSUE_RESULT_RECORD", decision: null, move: "ISSUE" },
  { act: "REQUEST_DATE_CHANGE", decision: null, move: "HOLD_DELIVERY" },
  { act: "REQUEST_DATE_CHANGE", decision: null, move: "HOLD_REVIEW" },
  { act: "LIFT_HOLD", decision: null, move: "LIFT_HOLD" },
  { act: "RAISE_CONCERN", decision: null, move: "CONCERN" },
  { act: "DISMISS_CONCERN", decision: null, move: "DISMISS_CONCERN" },
  { act: "UPHOLD_CONCERN", decision: null, move: "UPHOLD_CONCERN" },
  { act: "WITHDRAW_CONFIRMATION", decision: null, move: "WITHDRAW_CONFIRMATION" },
  { act: "REVISE_AGREEMENT", decision: null, move: "REPLACE_TERMS" },
  { act: "REVISE_AGREEMENT", decision: null, move: "OFFER_REVISION" },
  { act: "CHANGE_REPRESENTATIVE", decision: null, move: "CHANGE_REPRESENTATIVE" }
]
