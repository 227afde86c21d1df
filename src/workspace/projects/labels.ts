/** Labels of project acts, next actions, reasons for blocked acts, and events. */
import { h } from "preact"
import type { Role } from "../../access/actions.ts"
import type { Act } from "../../projects/moves.ts"
import type {
  CriterionDecision,
  ConcernPayload,
  DateRevisionPayload,
  ProjectEvent,
  RespondPayload,
  ReviewPayload
} from "../../projects/event.ts"
import { blockedReason, type BlockedTexts } from "../commands/next-acts.ts"
import type { ActLabel, DecisionLabel } from "../commands/subject.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { linkTo } from "../kit/parts.ts"
import type { ProjectPageModel } from "./read-model.ts"
import type { StepName } from "./steps.ts"

/** The steps of a project, as its page names them. */
export const stepNames: { readonly [S in StepName]: string } = {
  AGREED: "Agreed",
  DELIVERED: "Delivered",
  DECIDED: "Decided",
  RECORDED: "Recorded",
  PAID: "Paid"
}

/** Acts without a page under an existing project. */
type ActWithoutPage =
  | "CREATE_DRAFT"
  | "CREATE_PROJECT"
  | "CREATE_PROPOSAL"
  | "UPDATE_PROPOSAL"
  | "PUBLISH_PROPOSAL"
  | "RESPOND_PROPOSAL"
  | "WITHDRAW_PROPOSAL"
export type ProjectAct = Exclude<Act, ActWithoutPage>

export const actLabels: { readonly [A in ProjectAct]: ActLabel } = {
  RESPOND_TERMS: { name: "Answer the terms", path: "respond" },
  SIGN_AGREEMENT: { name: "Sign the agreement", path: "sign" },
  SUBMIT_MATERIALS: { name: "Deliver", path: "submit" },
  REVIEW_DELIVERY: { name: "Review the delivery", path: "review" },
  CONFIRM_COMPLETION: { name: "Accept the delivery", path: "review" },
  ISSUE_RESULT_RECORD: { name: "Issue the record", path: "issue-record" },
  REQUEST_DATE_CHANGE: { name: "Request another date", path: "date-revision" },
  LIFT_HOLD: { name: "Continue under the agreed dates", path: "lift-hold" },
  RAISE_CONCERN: { name: "Raise a concern", path: "concern" },
  DISMISS_CONCERN: { name: "Dismiss the concern", path: "dismiss-concern" },
  UPHOLD_CONCERN: { name: "Uphold the concern", path: "uphold-concern" },
  WITHDRAW_CONFIRMATION: { name: "Withdraw the acceptance", path: "withdraw-confirmation" },
  CHANGE_REPRESENTATIVE: { name: "Name another representative", path: "change-representative" },
  REVISE_AGREEMENT: { name: "Revise the terms", path: "revise" }
}

export const isProjectAct = (act: Act): act is ProjectAct => Object.hasOwn(actLabels, act)

/** A next action, addressed to its own party and to the other party. */
interface StepTexts {
  readonly own: string
  readonly other: string
}

/** By next action; a party without an entry waits. */
const stepTexts: { readonly [action: string]: { readonly [R in Role]?: StepTexts } } = {
  INVITE_SUPPLIER: {
    BUYER: {
      own: "Invite the supplier’s representative.",
      other: "Invites the supplier’s representative."
    }
  },
  RESPOND: {
    SUPPLIER: {
      own: "Answer the terms: accept them, ask for others, or decline.",
      other: "Answers the terms: accepts them, asks for others, or declines."
    }
  },
  CHANGE_REPRESENTATIVE: {
    SUPPLIER: {
      own: "Name your representative of the agreed version here too.",
      other: "Names its representative of the agreed version here too."
    }
  },
  SIGN_AGREEMENT: {
    BUYER: { own: "Sign the agreement.", other: "Signs the agreement." },
    SUPPLIER: { own: "Sign the agreement.", other: "Signs the agreement." }
  },
  SUBMIT: {
    SUPPLIER: {
      own: "Deliver: answer every criterion and name the files.",
      other: "Delivers: answers every criterion and names the files."
    }
  },
  REVIEW: {
    BUYER: {
      own: "Review what was delivered, criterion by criterion, and decide.",
      other: "Reviews what was delivered, criterion by criterion, and decides."
    }
  },
  ISSUE_RECORD: {
    BUYER: {
      own: "Issue the record of this acceptance; it uses one credit.",
      other: "Issues the record of this acceptance."
    }
  },
  REVISE_AGREEMENT: {
    BUYER: { own: "Revise the terms, or do nothing.", other: "Revises the terms, or does nothing." }
  },
  RESOLVE_CONCERN: {
    BUYER: {
      own: "Resolve the concern: uphold it, or let the party that raised it dismiss it.",
      other: "Resolves the concern: upholds it, which withdraws the acceptance."
    },
    SUPPLIER: {
      own: "Dismiss your party’s concern if it is settled.",
      other: "Dismisses its concern if it is settled."
    }
  },
  RESOLVE_OWN_CONCERN: {
    BUYER: {
      own: "Resolve your party’s concern: dismiss it if it is settled, or uphold it, which withdraws the acceptance.",
      other: "Resolves its concern: dismisses it if it is settled, or upholds it, which withdraws the acceptance."
    }
  },
  REVISE_OR_LIFT_HOLD: {
    BUYER: {
      own: "Revise the terms with other dates, or continue under the agreed ones.",
      other: "Revises the terms with other dates, or continues under the agreed ones."
    },
    SUPPLIER: { own: "You can continue under the agreed dates.", other: "Can continue under the agreed dates." }
  }
}

/** The next action of a party; undefined where it waits. */
export const nextActionText = (action: string, side: Role): StepTexts | undefined =>
  Object.hasOwn(stepTexts, action) ? stepTexts[action]?.[side] : undefined

/** The text where neither party has a next action. */
export const noNextActionText = (action: string): string =>
  action === "WAIT_FOR_RECORD" ? "The record was requested and waits for a credit." : "Nothing more."

/** The acts that complete a next action. */
export const actsOfNextAction: { readonly [action: string]: ReadonlyArray<ProjectAct> } = {
  RESPOND: ["RESPOND_TERMS"],
  CHANGE_REPRESENTATIVE: ["CHANGE_REPRESENTATIVE"],
  SIGN_AGREEMENT: ["SIGN_AGREEMENT"],
  SUBMIT: ["SUBMIT_MATERIALS"],
  REVIEW: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"],
  ISSUE_RECORD: ["ISSUE_RESULT_RECORD"],
  REVISE_AGREEMENT: ["REVISE_AGREEMENT"],
  RESOLVE_CONCERN: ["DISMISS_CONCERN", "UPHOLD_CONCERN"],
  REVISE_OR_LIFT_HOLD: ["LIFT_HOLD", "REVISE_AGREEMENT"]
}

/** Reasons for blocked acts, where the refusal's own detail is written for clients. */
const blockedTexts: BlockedTexts = {
  STATE_CONFLICT: "The state of the agreement does not permit it.",
  DATE_REVISION_PENDING: "Another date was requested: revise the terms or lift the request first.",
  DELIVERY_DEADLINE_PASSED: "The agreed date for it has passed: agree on another date first.",
  REVIEW_DEADLINE_PASSED: "The agreed date for the review has passed: agree on another date first.",
  SIGNATURE_DATE_PASSED: "The agreed date for the signature has passed: the terms are revised first.",
  WAIT_FOR_HUMAN: "A required signature is missing, or another person has to give it.",
  PROJECT_READ_ONLY:
    "Events of this project were lost with an earlier database: the operator of this service has to act first.",
  DELIVERY_HISTORY_LIMIT_REACHED: "The history of this project is full: only acts that end it are available."
}

export const blockedReasonText = (code: string): string => blockedReason(blockedTexts, code)

export const responseLabels: { readonly [A in RespondPayload["action"]]: DecisionLabel } = {
  ACCEPT: {
    name: "Accept the terms",
    about: "They bind both parties from now on.",
    outcome: "accepted the terms",
    acknowledgement: { did: "You accepted the terms.", next: "They bind both parties from now on." }
  },
  REQUEST_CHANGES: {
    name: "Ask for other terms",
    about: "The buyer can revise them as a new version.",
    outcome: "requested other terms",
    acknowledgement: { did: "You asked for other terms.", next: "The buyer can revise them as a new version." }
  },
  DECLINE: {
    name: "Decline",
    about: "The agreement ends. It cannot be taken back.",
    outcome: "declined the terms",
    acknowledgement: { did: "You declined the terms.", next: "The agreement has ended." }
  }
}

export const reviewLabels: { readonly [A in ReviewPayload["action"]]: DecisionLabel } = {
  ACCEPT: {
    name: "Accept the delivery",
    about: "Every criterion is met, and each original was opened.",
    outcome: "accepted the delivery",
    acknowledgement: { did: "You accepted the delivery.", next: "The record of this acceptance can be issued now." }
  },
  REQUEST_CHANGES: {
    name: "Ask for changes",
    about: "At least one criterion is not met; the supplier delivers again.",
    outcome: "asked for changes",
    acknowledgement: { did: "You asked for changes.", next: "The supplier delivers again, and you review it then." }
  },
  REQUEST_EVIDENCE: {
    name: "Ask for evidence",
    about: "At least one criterion needs evidence, and none is unmet; the supplier delivers again.",
    outcome: "asked for evidence",
    acknowledgement: { did: "You asked for evidence.", next: "The supplier delivers again, and you review it then." }
  },
  REJECT: {
    name: "Reject the delivery",
    about: "At least one criterion is not met. The agreement ends; it cannot be taken back.",
    outcome: "rejected the delivery",
    acknowledgement: { did: "You rejected the delivery.", next: "The agreement has ended." }
  }
}

export const criterionDecisionLabels: { readonly [D in CriterionDecision["decision"]]: string } = {
  MET: "Met",
  NOT_MET: "Not met",
  EVIDENCE_NEEDED: "Evidence is needed"
}

export const concernLabels: { readonly [K in ConcernPayload["kind"]]: string } = {
  AUTHORITY: "The person who accepted had no authority to",
  MATERIALS: "The materials are not as described",
  CRITERIA: "A criterion is not met",
  OTHER: "Something else"
}

export const purposeLabels: { readonly [P in DateRevisionPayload["purpose"]]: string } = {
  DELIVERY: "delivery",
  REVIEW: "review"
}

/** What an event did, in the past tense. */
export const eventText = (event: ProjectEvent, nameOf: ProjectPageModel["nameOf"]): Content => {
  switch (event.kind) {
    case "CREATE":
      return event.payload.proposalDigest === undefined
        ? "made the agreement"
        : "accepted the supplier’s proposal, which made the agreement"
    case "INVITATION_ACCEPTED":
      return "accepted the invitation to supply"
    case "RESPOND":
      return responseLabels[event.payload.action].outcome
    case "SIGN":
      return event.payload.signature.method === "NATIVE"
        ? "signed the agreement"
        : "recorded the evidence of the agreement’s signature"
    case "SUBMIT":
      return `delivered, naming ${count(event.payload.items.flatMap(({ files }) => files).length, "file")}`
    case "REVIEW":
      return reviewLabels[event.payload.action].outcome
    case "ISSUE":
      return ["had the record issued: ", h("code", null, event.payload.recordId)]
    case "DATE_REVISION":
      return `requested another date for the ${purposeLabels[event.payload.purpose]}`
    case "LIFT_HOLD":
      return `resumed the ${purposeLabels[event.payload.purpose]} under the agreed dates`
    case "CONCERN":
      return `raised a concern about the acceptance: ${concernLabels[event.payload.kind].toLowerCase()}`
    case "RESOLVE_CONCERN":
      return event.payload.resolution === "DISMISSED"
        ? "dismissed the concern"
        : "upheld the concern, which withdrew the acceptance"
    case "WITHDRAW_CONFIRMATION":
      return "withdrew the acceptance"
    case "CHANGE_REPRESENTATIVE":
      return [
        "named ",
        untrusted(nameOf(event.payload.supplierActorId)),
        " as representative, replacing ",
        untrusted(nameOf(event.payload.previousActorId))
      ]
    case "SUPERSEDE":
      return [
        "replaced this agreement by another one: ",
        linkTo(`/workspace/projects/${event.payload.successor.projectId}`, event.payload.successor.projectId)
      ]
  }
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`
