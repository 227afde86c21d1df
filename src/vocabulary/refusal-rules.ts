/**
 * Every refusal of the service, in one table: its status, a sentence that names the field or limit and the next step, and
 * the code of that step. The reference page and the error schemas are generated from it.
 */
import { accessRefusals } from "./access-refusal-rules.ts"
import { commerceRefusals } from "./commerce-refusal-rules.ts"
import { limits } from "./limits.ts"
import { recordRefusals } from "./record-refusal-rules.ts"
import type { RefusalRule } from "./refusal-rule.ts"
import { webhookRefusals } from "./webhook-refusal-rules.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export const refusals = {
  INVALID_REQUEST: {
    status: 400,
    section: "7",
    detail: "The request does not match the schema of this operation; correct it and send it again.",
    nextAction: "CORRECT_REQUEST"
  },
  HTTPS_REQUIRED: {
    status: 400,
    section: "5",
    detail: "A bearer token is accepted over HTTPS only; send the request to the https address.",
    nextAction: "USE_HTTPS"
  },
  AUTH_INVALID: {
    status: 401,
    section: "7",
    to: "AGENT",
    detail:
      "The credential is unknown, expired or revoked, or the authority behind it has ended; ask its owner to authorize again.",
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  SIGN_IN_REQUIRED: {
    status: 401,
    section: "5",
    to: "PERSON",
    detail: "The session is missing, expired or ended; sign in.",
    nextAction: "SIGN_IN"
  },
  RECENT_SIGN_IN_REQUIRED: {
    status: 401,
    section: "5",
    to: "PERSON",
    detail: `The last sign-in must be less than ${limits.recentSignIn / minute} minutes old, or ${limits.signingSignIn / minute} for a signature; sign in again.`,
    nextAction: "SIGN_IN_AGAIN"
  },
  SIGN_IN_FAILED: {
    status: 401,
    section: "5",
    detail: "The sign-in failed; check your credentials and sign in again.",
    nextAction: "SIGN_IN"
  },
  FORBIDDEN: { status: 403, section: "5", to: "PERSON", detail: "This person has no permission for this operation." },
  CROSS_SITE_REQUEST: {
    status: 403,
    section: "5",
    to: "PERSON",
    detail: "The request did not come from a page of this site; send it from one."
  },
  FORM_OUTDATED: {
    status: 403,
    section: "5",
    detail: "The form belongs to an earlier session; open its page again.",
    nextAction: "OPEN_AGAIN"
  },
  FORBIDDEN_AGENT_ACTION: {
    status: 403,
    section: "7",
    to: "AGENT",
    detail: "The grant does not include this action for this side; ask its owner to authorize it.",
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  FORBIDDEN_AGENT_PROJECT_SCOPE: {
    status: 403,
    section: "7",
    to: "AGENT",
    detail: "The scope of the grant does not include this project or proposal; ask its owner to authorize it.",
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  NOT_FOUND: { status: 404, section: "7", detail: "Nothing exists at this address; check the path and its ids." },
  REQUEST_TOO_LARGE: {
    status: 413,
    section: "7",
    detail: `Limit reached: ${limits.bodyBytes} bytes in a request body, or fewer where the operation says so; send a smaller body.`,
    nextAction: "CORRECT_REQUEST"
  },
  TEMPORARILY_UNAVAILABLE: {
    status: 503,
    section: "7",
    detail:
      "The service is temporarily unavailable, and nothing is known to have changed; retry the saved request unchanged.",
    nextAction: "RETRY_SAVED_REQUEST"
  },
  ISSUER_NOT_CONFIGURED: {
    status: 503,
    section: "7",
    detail: "The installation has no valid signing key for this purpose; ask its operator.",
    nextAction: "ASK_OPERATOR"
  },
  TOO_MANY_ATTEMPTS: {
    status: 503,
    section: "8",
    detail: `Limit reached: ${limits.attemptsPerPerson} wrong codes or passwords of one person, or ${limits.attemptsPerAddress} from one address; wait ${limits.attemptsWindow / minute} minutes.`,
    nextAction: "WAIT"
  },

  ...accessRefusals,
  REQUEST_ID_CONFLICT: {
    status: 409,
    section: "7",
    detail: "The requestId was used for another request; use a new one.",
    nextAction: "USE_NEW_REQUEST_ID"
  },
  PROJECT_READ_ONLY: {
    status: 409,
    section: "8",
    detail:
      "Events of this project were lost with an earlier database; reads continue, and commands wait until the operator states the loss.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  AGENT_PAUSED: {
    status: 409,
    section: "7",
    to: "AGENT",
    detail: "Agents are paused here; wait until a person resumes them.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  AGENT_CHANGED_REFRESH_REQUIRED: {
    status: 409,
    section: "7",
    to: "AGENT",
    detail: "The automation revision has changed since this request was prepared; read the current state again.",
    nextAction: "REREAD_PROJECT"
  },
  STALE_EVENT_HEAD: {
    status: 409,
    section: "7",
    detail: "The project has changed since this request was prepared; read it again.",
    nextAction: "REREAD_PROJECT"
  },
  DELIVERY_HISTORY_LIMIT_REACHED: {
    status: 409,
    section: "7",
    detail: `Limit reached: ${limits.eventsPerProject} events or ${limits.historyBytes} bytes in the history of one project, including the reserve for its end; wait until a person decides how to continue.`,
    nextAction: "WAIT_FOR_HUMAN"
  },
  AGREEMENT_DIGEST_MISMATCH: {
    status: 409,
    section: "2.5",
    detail: "The agreement digest of the request is not that of this project; read the project again.",
    nextAction: "REREAD_PROJECT"
  },
  STATE_CONFLICT: {
    status: 409,
    section: "3",
    detail: "The current state does not allow this operation; read it again.",
    nextAction: "REREAD_PROJECT"
  },
  DEADLINE_NOT_FUTURE: {
    status: 409,
    section: "2.6",
    detail: "The deadline of a new agreement must be in the future; correct it.",
    nextAction: "CORRECT_REQUEST"
  },
  DELIVERY_DEADLINE_PASSED: {
    status: 409,
    section: "3",
    detail: "The agreed deadline of this delivery has passed; request a date change.",
    nextAction: "REQUEST_DATE_CHANGE"
  },
  REVIEW_DEADLINE_PASSED: {
    status: 409,
    section: "3",
    detail: "The agreed deadline of this review has passed; request a date change.",
    nextAction: "REQUEST_DATE_CHANGE"
  },
  SUBMISSION_MISMATCH: {
    status: 409,
    section: "2.5",
    detail: "The submission or review of the request is not the current one; read the project again.",
    nextAction: "REREAD_PROJECT"
  },
  CONFIRMATION_MISMATCH: {
    status: 409,
    section: "2.5",
    detail: "The confirmation of the request is not the current one; read the project again.",
    nextAction: "REREAD_PROJECT"
  },
  CRITERIA_INCOMPLETE: {
    status: 409,
    section: "2.5",
    detail: "Each agreed criterion needs exactly one answer that this action allows; correct the answers.",
    nextAction: "CORRECT_REQUEST"
  },
  CHECKED_FILES_MISMATCH: {
    status: 409,
    section: "2.5",
    detail: "The checked files must be exactly the files of this submission; read the project again.",
    nextAction: "REREAD_PROJECT"
  },
  HUMAN_DECISION_REQUIRED: {
    status: 409,
    section: "3",
    to: "AGENT",
    detail: "This decision is reserved for a person; wait until a person has decided.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  WAIT_FOR_HUMAN: {
    status: 409,
    section: "7",
    detail: "A signature is required first; wait until a person has signed.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  SIGNATURE_DATE_PASSED: {
    status: 409,
    section: "3",
    detail: "The agreed date of this signature has passed; wait until people revise the agreement.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  DATE_REVISION_PENDING: {
    status: 409,
    section: "3",
    detail: "A date change is pending; wait until people revise the terms or lift the hold.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  UNKNOWN_SIGNER: {
    status: 409,
    section: "2.5",
    detail:
      "The principal must be a member of the buyer's organization, and the counterparty another known person; correct the signers.",
    nextAction: "CORRECT_REQUEST"
  },
  REVIEW_CREATION_REQUIREMENTS: {
    status: 409,
    section: "7",
    detail:
      "A new agreement needs the current legal documents and the digest of a previewed confirmation; preview the confirmation.",
    nextAction: "PREVIEW_CONFIRMATION"
  },
  LEGAL_DOCUMENTS_CHANGED: {
    status: 409,
    section: "4.2",
    detail: "The legal documents of the request are not the current ones; read the legal configuration again.",
    nextAction: "READ_LEGAL_CONFIG"
  },
  CONFIRMATION_DIGEST_STALE: {
    status: 409,
    section: "4.2",
    detail: "The confirmation digest is missing or outdated; read the project again.",
    nextAction: "REREAD_PROJECT"
  },
  SUBJECT_REQUIREMENTS_NOT_PRESERVED: {
    status: 409,
    section: "2.6",
    to: "AGENT",
    detail: "The subject requirements of the agreement must equal those of the grant; copy them unchanged.",
    nextAction: "CORRECT_REQUEST"
  },
  SAME_PARTY: {
    status: 409,
    section: "2.6",
    detail: "Buyer and supplier must be different persons; name another person.",
    nextAction: "CORRECT_REQUEST"
  },
  UNKNOWN_SUPPLIER: {
    status: 409,
    section: "2.6",
    detail: "No person has the id of the supplier; correct it.",
    nextAction: "CORRECT_REQUEST"
  },
  CREATED_PROJECT_LIMIT: {
    status: 409,
    section: "8",
    to: "AGENT",
    detail: `Limit reached: ${limits.projectsPerGrant} projects in the scope of one grant; ask its owner to authorize a new grant.`,
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  CREATED_PROPOSAL_LIMIT: {
    status: 409,
    section: "8",
    to: "AGENT",
    detail: `Limit reached: ${limits.proposalsPerGrant} proposals in the scope of one grant; ask its owner to authorize a new grant.`,
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  STALE_PROPOSAL_HEAD: {
    status: 409,
    section: "2.8",
    detail: "The proposal has changed since this request was prepared; read it again.",
    nextAction: "REREAD_PROPOSAL"
  },
  PROPOSAL_VERSION_STALE: {
    status: 409,
    section: "2.8",
    detail: "The version of the request is not the current one; read the proposal again.",
    nextAction: "REREAD_PROPOSAL"
  },
  PROPOSAL_DIGEST_MISMATCH: {
    status: 409,
    section: "2.8",
    detail: "The digest of the request is not that of the published proposal; read the proposal again.",
    nextAction: "REREAD_PROPOSAL"
  },
  RECIPIENT_MISMATCH: {
    status: 409,
    section: "2.8",
    detail: "The author's organization has no contact with this reference for this person; correct the recipient.",
    nextAction: "CORRECT_REQUEST"
  },
  UNKNOWN_SPECIFICATION: {
    status: 409,
    section: "4.2",
    detail: "No public specification has this id and version; correct them.",
    nextAction: "CORRECT_REQUEST"
  },
  SPECIFICATION_DIGEST_MISMATCH: {
    status: 409,
    section: "4.2",
    detail: "The digest of the request is not that of this version of the specification; read the specification again.",
    nextAction: "REREAD_SPECIFICATION"
  },
  HANDOFF_ENDED: {
    status: 409,
    section: "2.7",
    detail: `The hand-off of the specification was used, or is older than ${limits.handoffLifetime / hour} hours; open the specification again.`,
    nextAction: "OPEN_SPECIFICATION_AGAIN"
  },
  DRAFT_CHANGED: {
    status: 409,
    section: "2.7",
    detail: "The draft was changed or finished since it was read; read it again.",
    nextAction: "REREAD_DRAFT"
  },
  DRAFT_LIMIT: {
    status: 409,
    section: "8",
    to: "AGENT",
    detail: `Limit reached: ${limits.draftsPerGrant} drafts of one grant; ask its owner for a new grant.`,
    nextAction: "ASK_OWNER"
  },
  SAVED_JOB_LIMIT: {
    status: 429,
    section: "8",
    to: "AGENT",
    detail: `Limit reached: ${limits.jobsPerGrant} saved jobs of one grant; ask its owner for a new grant.`,
    nextAction: "ASK_OWNER"
  },
  ...webhookRefusals,
  ...recordRefusals,
  ...commerceRefusals,
  ALREADY_EXISTS: {
    status: 409,
    section: "4.2",
    detail: "The resource already exists; correct the request.",
    nextAction: "CORRECT_REQUEST"
  },
  UNKNOWN_PARTY: {
    status: 404,
    section: "2.6",
    detail: "No such person, organization, membership, grant or project; check the id."
  }
} as const satisfies { readonly [code: string]: RefusalRule }

export type RefusalCode = keyof typeof refusals

export const isRefusalCode = (text: string): text is RefusalCode => Object.hasOwn(refusals, text)
