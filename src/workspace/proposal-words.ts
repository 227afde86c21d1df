/** Proposals in words: how one stands, what each side does next, what it can do, and what stands in the way. */
import type { Action, Role } from "../access/actions.ts"
import type { AnswerPayload } from "../proposals/event.ts"
import type { ProposalState } from "../proposals/proposal.ts"
import { refusals, type RefusalCode } from "../vocabulary/refusal-rules.ts"
import { errorBody, type Refused } from "../vocabulary/refusals.ts"
import { nextSteps, type NextAction } from "./next-steps.ts"

interface StateWords {
  readonly name: string
  /** In one sentence, told to that side. */
  readonly meaning: string
  /** What that side does next; absent where it waits or has nothing to do. */
  readonly step?: string
}

/** As each side is told: the author of a proposal is the supplier, its recipient the buyer. */
export const proposalStateWords: { readonly [S in ProposalState]: { readonly [R in Role]: StateWords } } = {
  DRAFT: {
    SUPPLIER: {
      name: "not published",
      meaning: "Only your organization sees this version; nobody can answer it before it is published.",
      step: "Publish this version, or write another one."
    },
    BUYER: {
      name: "being written anew",
      meaning:
        "The author writes another version: the one below can no longer be answered. The next one stands here once it is published to you."
    }
  },
  PUBLISHED: {
    SUPPLIER: { name: "published", meaning: "It waits for the recipient’s answer." },
    BUYER: {
      name: "waits for your answer",
      meaning: "It was published to you; nothing comes of it before you answer.",
      step: "Answer it: accept it, ask for changes, or decline."
    }
  },
  CHANGES_REQUESTED: {
    SUPPLIER: {
      name: "changes wanted",
      meaning: "The recipient asked for changes.",
      step: "Write another version, or withdraw the proposal."
    },
    BUYER: {
      name: "changes wanted",
      meaning: "You asked for changes; the author writes another version, or leaves it."
    }
  },
  ACCEPTED: {
    SUPPLIER: {
      name: "accepted",
      meaning: "The recipient accepted it: the agreement was made, and goes on by itself."
    },
    BUYER: { name: "accepted", meaning: "You accepted it: the agreement was made, and goes on by itself." }
  },
  DECLINED: {
    SUPPLIER: { name: "declined", meaning: "The recipient declined it; it has ended." },
    BUYER: { name: "declined", meaning: "You declined it; it has ended." }
  },
  WITHDRAWN: {
    SUPPLIER: { name: "withdrawn", meaning: "Your organization withdrew it; it has ended." },
    BUYER: { name: "withdrawn", meaning: "The author withdrew it; it has ended." }
  }
}

/** True where the proposal waits for something that this side does. */
export const isStepOf = (state: ProposalState, role: Role): boolean =>
  proposalStateWords[state][role].step !== undefined

/** True while something can still come of it. */
export const isProposalOpen = (state: ProposalState): boolean =>
  state === "DRAFT" || state === "PUBLISHED" || state === "CHANGES_REQUESTED"

/** What a proposal's page offers, each at an address of its own. */
export const proposalActWords = {
  PUBLISH_PROPOSAL: { name: "Publish", path: "publish" },
  RESPOND_PROPOSAL: { name: "Answer the proposal", path: "respond" },
  UPDATE_PROPOSAL: { name: "Write another version", path: "update" },
  WITHDRAW_PROPOSAL: { name: "Withdraw the proposal", path: "withdraw" }
} as const satisfies { readonly [A in Action]?: { readonly name: string; readonly path: string } }
export type ProposalAct = keyof typeof proposalActWords

export const isProposalAct = (action: Action): action is ProposalAct => Object.hasOwn(proposalActWords, action)

export const answerWords: {
  readonly [A in AnswerPayload["action"]]: { readonly name: string; readonly about: string }
} = {
  ACCEPT: {
    name: "Accept the proposal",
    about: "An agreement is made of exactly these terms, and the supplier answers it next."
  },
  REQUEST_CHANGES: {
    name: "Ask for changes",
    about: "The author reads your reason, and writes another version or leaves it. Nothing is agreed on."
  },
  DECLINE: { name: "Decline", about: "The proposal ends. It cannot be taken back." }
}

/** Whose answer it was, past. */
export const answeredWords: { readonly [A in AnswerPayload["action"]]: string } = {
  ACCEPT: "accepted the proposal",
  REQUEST_CHANGES: "asked for changes",
  DECLINE: "declined the proposal"
}

/** What stands in the way of something on a proposal, where the registry's sentence is not said to a person at a page. */
const blockedWords: { readonly [C in RefusalCode]?: string } = {
  STATE_CONFLICT: "Not at this point of the proposal.",
  DELIVERY_HISTORY_LIMIT_REACHED:
    "The history of this proposal is full: it can only be accepted, declined or withdrawn.",
  HUMAN_DECISION_REQUIRED: "A requirement of the terms keeps the answer for people: no agent gives it.",
  DEADLINE_NOT_FUTURE:
    "The delivery date, or the date for signing the agreement, has passed: the author writes another version with other dates.",
  SAME_PARTY:
    "Buyer and supplier are different persons, also where they sign, and nobody answers who has written for the author: the author writes another version for somebody else.",
  UNKNOWN_SUPPLIER: "Who stands for the supplier is no member of the author’s organization: the author names another.",
  UNKNOWN_SIGNER:
    "Who signs for the buyer is no member of the organization that answers, or may not accept deliveries there: another organization answers, or the author names another person.",
  UNKNOWN_SPECIFICATION: "The public specification that the terms name is not known here.",
  SPECIFICATION_DIGEST_MISMATCH: "The terms name the public specification by another digest than its own.",
  REVIEW_CREATION_REQUIREMENTS: "The operator has not met yet what an agreement here needs.",
  LEGAL_DOCUMENTS_CHANGED:
    "The legal documents have changed since this version was written: the author writes another version on the current ones.",
  CONFIRMATION_DIGEST_STALE: "What you confirm is not what it was when you read it: open the page again, and read it.",
  SUBJECT_REQUIREMENTS_NOT_PRESERVED: "The terms do not carry the requirements that they have to carry.",
  RECIPIENT_MISMATCH:
    "The contacts of your organization no longer have this reference for this person. Put the contact there again, or write another version for a contact that is there.",
  REQUEST_ID_CONFLICT:
    "From this page something else was sent before. Read how it stands now, open the page again, and send it from there.",
  PROPOSAL_VERSION_STALE: "The proposal has another version now.",
  PROPOSAL_DIGEST_MISMATCH: "Another version was published since.",
  STALE_PROPOSAL_HEAD: "The proposal has changed since the page was shown.",
  AGENT_PAUSED: "Agents are paused here; people go on."
}

export const sayProposalBlocked = (code: string): string =>
  isRefusalCode(code) ? (blockedWords[code] ?? refusals[code].detail) : code

/** The same with what has to happen first, where the state alone is in the way. */
export const sayProposalAwaited = ({ code, reason }: { readonly code: string; readonly reason: string }): string =>
  code === "STATE_CONFLICT" ? `${sayProposalBlocked(code)} ${reason}` : sayProposalBlocked(code)

/** What a refusal says of itself, where it knows more than its code does. */
export const sayProposalRefused = ({ code, facts: { detail } }: Refused): string => {
  const isOwn = code === "STATE_CONFLICT" || blockedWords[code] === undefined
  return isOwn && detail !== undefined ? detail : sayProposalBlocked(code)
}

/** The next step of a refusal; nothing where what was said of it names one. */
export const nextOfRefused = (refused: Refused): string | undefined => {
  const { nextAction } = errorBody(refused)
  const isSaid = blockedWords[refused.code] !== undefined && refused.code !== "STATE_CONFLICT"
  return isSaid || nextAction === undefined || !isNextAction(nextAction) ? undefined : nextSteps[nextAction]
}

const isRefusalCode = (text: string): text is RefusalCode => Object.hasOwn(refusals, text)
const isNextAction = (text: string): text is NextAction => Object.hasOwn(nextSteps, text)
