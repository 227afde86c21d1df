/** The refusals of checks that several operations share: an operation with the check can return all of them. */
import type { RefusalCode } from "./refusal-rules.ts"

type Codes = ReadonlyArray<RefusalCode>

/** Transport, format, size and load are checked before every operation. */
export const everyOperation = [
  "INVALID_REQUEST",
  "HTTPS_REQUIRED",
  "REQUEST_TOO_LARGE",
  "TEMPORARILY_UNAVAILABLE"
] as const satisfies Codes

/** A path with an id: a malformed or unknown id is not found. */
export const pathId = ["NOT_FOUND"] as const satisfies Codes

export const agentCredential = ["AUTH_INVALID"] as const satisfies Codes
export const session = ["SIGN_IN_REQUIRED"] as const satisfies Codes
export const sessionWrite = ["CROSS_SITE_REQUEST"] as const satisfies Codes

/** The grant has the project or proposal in scope, for the side of this operation. */
export const agentScope = ["FORBIDDEN_AGENT_PROJECT_SCOPE", "FORBIDDEN_AGENT_ACTION"] as const satisfies Codes

/** A request id belongs to one request. */
export const requestId = ["REQUEST_ID_CONFLICT"] as const satisfies Codes

/** An event is signed with the issuer's key and counts towards the history limit. */
export const signedEvent = ["DELIVERY_HISTORY_LIMIT_REACHED", "ISSUER_NOT_CONFIGURED"] as const satisfies Codes

/** An event of a project whose history is known to lack events is not signed. */
export const projectEvent = [...signedEvent, "PROJECT_READ_ONLY"] as const satisfies Codes

/** Nothing is signed about the head of such a project. */
export const signedHead = ["PROJECT_READ_ONLY"] as const satisfies Codes

export const agentPreconditions = ["AGENT_PAUSED", "AGENT_CHANGED_REFRESH_REQUIRED"] as const satisfies Codes

export const projectCommand = [
  ...requestId,
  ...projectEvent,
  "STALE_EVENT_HEAD",
  "AGREEMENT_DIGEST_MISMATCH",
  "STATE_CONFLICT"
] as const satisfies Codes

export const agentProjectCommand = [...agentScope, ...agentPreconditions, ...projectCommand] as const satisfies Codes
export const personProjectCommand = ["FORBIDDEN", ...projectCommand] as const satisfies Codes

export const proposalCommand = [
  ...requestId,
  ...signedEvent,
  "STALE_PROPOSAL_HEAD",
  "STATE_CONFLICT"
] as const satisfies Codes

/** Terms are checked for dates, parties, requirements, the pinned specification and the legal documents. */
export const terms = [
  "DEADLINE_NOT_FUTURE",
  "SAME_PARTY",
  "UNKNOWN_SUPPLIER",
  "UNKNOWN_SIGNER",
  "UNKNOWN_SPECIFICATION",
  "SPECIFICATION_DIGEST_MISMATCH",
  "REVIEW_CREATION_REQUIREMENTS",
  "LEGAL_DOCUMENTS_CHANGED"
] as const satisfies Codes

/** Terms become an agreement under a previewed confirmation. */
export const newAgreement = [...terms, "CONFIRMATION_DIGEST_STALE", "ISSUER_NOT_CONFIGURED"] as const satisfies Codes

/** One function each, shared by the commands of agents, of people and of saved jobs. */
export const signer = ["ISSUER_NOT_CONFIGURED"] as const satisfies Codes
export const previewed = ["CONFIRMATION_DIGEST_STALE"] as const satisfies Codes
export const currentConfirmation = ["CONFIRMATION_MISMATCH"] as const satisfies Codes
export const noHold = ["DATE_REVISION_PENDING"] as const satisfies Codes
export const deliveryDate = ["DELIVERY_DEADLINE_PASSED"] as const satisfies Codes
export const signingDate = ["SIGNATURE_DATE_PASSED"] as const satisfies Codes
export const signature = ["WAIT_FOR_HUMAN"] as const satisfies Codes
export const namedSigner = ["UNKNOWN_SIGNER"] as const satisfies Codes
export const contact = ["RECIPIENT_MISMATCH"] as const satisfies Codes
export const pinnedSpecification = ["UNKNOWN_SPECIFICATION", "SPECIFICATION_DIGEST_MISMATCH"] as const satisfies Codes
export const projectHead = ["STALE_EVENT_HEAD"] as const satisfies Codes
export const attempts = ["REDELIVERY_LIMIT"] as const satisfies Codes
export const activeSubscriptions = ["SUBSCRIPTION_LIMIT"] as const satisfies Codes
export const webhookVerification = [
  "WEBHOOK_EVENT_UNKNOWN",
  "WEBHOOK_SIGNATURE_INVALID",
  "WEBHOOK_TIMESTAMP_STALE"
] as const satisfies Codes

/** A person acts for one side of a project only. */
export const recordedSide = ["SAME_PARTY"] as const satisfies Codes

/** A replay shows a secret again for a limited time only. */
export const recoveredSecret = ["SECRET_ALREADY_SHOWN"] as const satisfies Codes

/** An extended authority is a signed event in the history of its grant. */
export const authorityEvent = ["AUTHORITY_HISTORY_LIMIT", "ISSUER_NOT_CONFIGURED"] as const satisfies Codes

/** The signed-in person acts for the side, or belongs to the organization, of the operation. */
export const person = ["FORBIDDEN"] as const satisfies Codes

export const grantChoice = [
  "RECENT_SIGN_IN_REQUIRED",
  "FORBIDDEN",
  "UNKNOWN_PARTY",
  "ISSUER_NOT_CONFIGURED"
] as const satisfies Codes

export const draft = ["FORBIDDEN", "DRAFT_CHANGED"] as const satisfies Codes
