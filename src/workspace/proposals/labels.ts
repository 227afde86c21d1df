/** Labels of proposals: states, next actions, acts and reasons for blocked acts. */
import type { Action, Role } from "../../access/actions.ts"
import type { AnswerPayload } from "../../proposals/event.ts"
import type { ProposalState } from "../../proposals/proposal.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { blockedReason, type BlockedTexts } from "../commands/next-acts.ts"
import type { ActLabel, DecisionLabel } from "../commands/subject.ts"
import { nextStepOf } from "../kit/next-steps.ts"

interface StateLabels {
  readonly name: string
  /** One sentence, addressed to that party. */
  readonly meaning: string
  /** The party's next action; absent where it waits or has none. */
  readonly step?: string
}

/** By party: the author of a proposal is the supplier, its recipient the buyer. */
export const proposalStateLabels: { readonly [S in ProposalState]: { readonly [R in Role]: StateLabels } } = {
  DRAFT: {
    SUPPLIER: {
      name: "not published",
      meaning: "Only your organization sees this version; it can be answered once it is published.",
      step: "Publish this version, or write a new one."
    },
    BUYER: {
      name: "being revised",
      meaning:
        "The author is writing a new version: the one below can no longer be answered. The new one is shown here once it is published to you."
    }
  },
  PUBLISHED: {
    SUPPLIER: { name: "published", meaning: "It waits for the recipient’s answer." },
    BUYER: {
      name: "waits for your answer",
      meaning: "It was published to you and has no effect before you answer.",
      step: "Answer it: accept it, ask for changes, or decline."
    }
  },
  CHANGES_REQUESTED: {
    SUPPLIER: {
      name: "changes requested",
      meaning: "The recipient asked for changes.",
      step: "Write a new version, or withdraw the proposal."
    },
    BUYER: {
      name: "changes requested",
      meaning: "You asked for changes; the author can write a new version."
    }
  },
  ACCEPTED: {
    SUPPLIER: {
      name: "accepted",
      meaning: "The recipient accepted it: the agreement was made and continues as a project."
    },
    BUYER: { name: "accepted", meaning: "You accepted it: the agreement was made and continues as a project." }
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

/** True where the proposal awaits an action of this party. */
export const hasNextAction = (state: ProposalState, role: Role): boolean =>
  proposalStateLabels[state][role].step !== undefined

/** True while the proposal can still change. */
export const isProposalOpen = (state: ProposalState): boolean =>
  state === "DRAFT" || state === "PUBLISHED" || state === "CHANGES_REQUESTED"

/** The acts on a proposal's page, each with its own path. */
export const proposalActLabels = {
  PUBLISH_PROPOSAL: { name: "Publish", path: "publish" },
  RESPOND_PROPOSAL: { name: "Answer the proposal", path: "respond" },
  UPDATE_PROPOSAL: { name: "Write a new version", path: "update" },
  WITHDRAW_PROPOSAL: { name: "Withdraw the proposal", path: "withdraw" }
} as const satisfies { readonly [A in Action]?: ActLabel }
export type ProposalAct = keyof typeof proposalActLabels

export const answerLabels: { readonly [A in AnswerPayload["action"]]: DecisionLabel } = {
  ACCEPT: {
    name: "Accept the proposal",
    about: "An agreement with exactly these terms is made, and the supplier answers it next.",
    outcome: "accepted the proposal",
    acknowledgement: {
      did: "You accepted the proposal.",
      next: "The agreement was made with exactly these terms; the supplier answers it next."
    }
  },
  REQUEST_CHANGES: {
    name: "Ask for changes",
    about: "The author reads your reason and can write a new version. Nothing is agreed on.",
    outcome: "asked for changes",
    acknowledgement: {
      did: "You asked for changes.",
      next: "The author reads your reason and can write a new version."
    }
  },
  DECLINE: {
    name: "Decline",
    about: "The proposal ends. It cannot be taken back.",
    outcome: "declined the proposal",
    acknowledgement: { did: "You declined the proposal.", next: "It has ended." }
  }
}

/** Reasons for blocked acts on a proposal, where the refusal's own detail is written for clients. */
const blockedTexts: BlockedTexts = {
  STATE_CONFLICT: "The state of the proposal does not permit it.",
  DELIVERY_HISTORY_LIMIT_REACHED:
    "The history of this proposal is full: it can only be accepted, declined or withdrawn.",
  HUMAN_DECISION_REQUIRED: "A requirement of the terms reserves the answer for people: agents cannot give it.",
  DEADLINE_NOT_FUTURE:
    "The delivery date, or the date for signing the agreement, has passed: the author has to write a new version with other dates.",
  SAME_PARTY:
    "Buyer and supplier must be different persons, also as signers, and a person who has written for the author cannot answer: the author has to write a new version for another recipient.",
  UNKNOWN_SUPPLIER:
    "The supplier’s representative is not a member of the author’s organization: the author has to name another person.",
  UNKNOWN_SIGNER:
    "The buyer’s signer is not a member of the answering organization or may not accept deliveries there: answer for another organization, or ask the author to name another person.",
  UNKNOWN_SPECIFICATION: "The public specification named in the terms is unknown.",
  SPECIFICATION_DIGEST_MISMATCH: "The digest of the public specification in the terms does not match it.",
  REVIEW_CREATION_REQUIREMENTS: "The operator of this site has not yet configured what agreements require.",
  LEGAL_DOCUMENTS_CHANGED:
    "The legal documents have changed since this version was written: the author has to write a new version with the current ones.",
  CONFIRMATION_DIGEST_STALE: "The confirmation has changed since you read it: open the page again and read it.",
  SUBJECT_REQUIREMENTS_NOT_PRESERVED: "The terms lack requirements that they must contain.",
  RECIPIENT_MISMATCH:
    "Your organization no longer has a contact with this reference for this person. Add the contact again, or write a new version for an existing contact.",
  REQUEST_ID_CONFLICT:
    "Another form was already sent from this page. Read the current state, open the page again and send it from there.",
  PROPOSAL_VERSION_STALE: "The proposal has another version now.",
  PROPOSAL_DIGEST_MISMATCH: "Another version has been published since.",
  STALE_PROPOSAL_HEAD: "The proposal has changed since the page was shown.",
  AGENT_PAUSED: "Agents are paused here; people can continue."
}

export const proposalBlockedReasonText = (code: string): string => blockedReason(blockedTexts, code)

/** The refusal's own detail where it is more specific than the text of its code. */
export const proposalRefusalText = ({ code, facts: { detail } }: Refusal): string => {
  const isOwn = code === "STATE_CONFLICT" || blockedTexts[code] === undefined
  return isOwn && detail !== undefined ? detail : proposalBlockedReasonText(code)
}

/** The next step of a refusal; undefined where its text already contains one. */
export const nextStepOfRefusal = (refused: Refusal): string | undefined =>
  blockedTexts[refused.code] !== undefined && refused.code !== "STATE_CONFLICT" ? undefined : nextStepOf(refused)
