/**
 * Every refusal the service can give, in one table: its status, one sentence for a person, and the next step. The
 * reference page and the error schemas are made from it.
 */
export interface Rule {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 503
  readonly detail: string
  readonly nextAction?: string
}

export const refusals = {
  INVALID_REQUEST: {
    status: 400,
    detail: "The request does not have the documented form.",
    nextAction: "CORRECT_REQUEST"
  },
  HTTPS_REQUIRED: { status: 400, detail: "A bearer token travels over HTTPS only.", nextAction: "USE_HTTPS" },
  AUTH_INVALID: {
    status: 401,
    detail: "The credential is unknown, expired or revoked, or the authority behind it has ended.",
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  SIGN_IN_REQUIRED: {
    status: 401,
    detail: "This is for people who are signed in; the session is missing, expired or ended.",
    nextAction: "SIGN_IN"
  },
  RECENT_SIGN_IN_REQUIRED: {
    status: 401,
    detail: "This needs a recent sign-in: five minutes at most, for a signature fifteen.",
    nextAction: "SIGN_IN_AGAIN"
  },
  SIGN_IN_FAILED: { status: 401, detail: "The sign-in did not succeed.", nextAction: "SIGN_IN" },
  FORBIDDEN: { status: 403, detail: "This person may not do this here." },
  CROSS_SITE_REQUEST: { status: 403, detail: "This request did not come from a page of this site." },
  FORM_OUTDATED: {
    status: 403,
    detail: "This page is from an earlier session; open it again.",
    nextAction: "OPEN_AGAIN"
  },
  FORBIDDEN_AGENT_ACTION: {
    status: 403,
    detail: "The grant does not hold this action for this side.",
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  FORBIDDEN_AGENT_PROJECT_SCOPE: {
    status: 403,
    detail: "The grant does not reach this exact project or proposal.",
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  NOT_FOUND: { status: 404, detail: "There is nothing at this address." },
  REQUEST_TOO_LARGE: {
    status: 413,
    detail: "The request body is larger than this operation takes.",
    nextAction: "CORRECT_REQUEST"
  },
  TEMPORARILY_UNAVAILABLE: {
    status: 503,
    detail: "The service cannot answer now. Nothing is known to have changed.",
    nextAction: "RETRY_SAVED_REQUEST"
  },
  ISSUER_NOT_CONFIGURED: {
    status: 503,
    detail: "This installation has no valid key for this kind of export.",
    nextAction: "ASK_OPERATOR"
  },
  TOO_MANY_ATTEMPTS: {
    status: 503,
    detail: "Too many wrong codes or passwords were tried; wait ten minutes.",
    nextAction: "WAIT"
  },

  CONNECTION_EXPIRED: {
    status: 409,
    detail: "This connection has ended; its credential can no longer be collected.",
    nextAction: "START_NEW_CONNECTION"
  },
  CONNECTION_DENIED: {
    status: 409,
    detail: "A person denied this connection, or ended what it was given.",
    nextAction: "START_NEW_CONNECTION"
  },
  USER_CODE_UNKNOWN: {
    status: 404,
    detail: "No connection waits under this code: it is mistyped, expired, or taken by another session.",
    nextAction: "CHECK_CODE"
  },
  INVITATION_UNKNOWN: {
    status: 404,
    detail: "No invitation waits under this code: it is mistyped, expired, used or revoked.",
    nextAction: "ASK_FOR_NEW_INVITATION"
  },
  GENERATION_STALE: {
    status: 409,
    detail: "The grant was renewed since; its credential is another one now.",
    nextAction: "REREAD_GRANT"
  },
  GRANT_REVOKED: {
    status: 409,
    detail: "The grant was revoked, and a revoked grant cannot be renewed.",
    nextAction: "CREATE_NEW_GRANT"
  },
  SECRET_ALREADY_SHOWN: {
    status: 409,
    detail: "This secret was shown before and is in use, or too long ago to be shown again.",
    nextAction: "CREATE_NEW_ONE"
  },
  AUTHORITY_HISTORY_LIMIT: {
    status: 409,
    detail: "The authority history of this grant is full; it can only be revoked.",
    nextAction: "CREATE_NEW_GRANT"
  },
  ITEM_ENDED: { status: 409, detail: "This item has ended.", nextAction: "ASK_OWNER" },
  NOTE_LIMIT: { status: 409, detail: "The item holds as many notes as it can.", nextAction: "ASK_OWNER" },

  REQUEST_ID_CONFLICT: {
    status: 409,
    detail: "This request id was used for another request.",
    nextAction: "USE_NEW_REQUEST_ID"
  },
  AGENT_PAUSED: {
    status: 409,
    detail: "Agents are paused here; only a person can resume them.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  AGENT_CHANGED_REFRESH_REQUIRED: {
    status: 409,
    detail: "The automation revision has changed since this request was planned.",
    nextAction: "REREAD_PROJECT"
  },
  STALE_EVENT_HEAD: {
    status: 409,
    detail: "The project has changed since this request was planned.",
    nextAction: "REREAD_PROJECT"
  },
  DELIVERY_HISTORY_LIMIT_REACHED: {
    status: 409,
    detail: "The history of this project is full.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  AGREEMENT_DIGEST_MISMATCH: {
    status: 409,
    detail: "The request names another agreement than this project's.",
    nextAction: "REREAD_PROJECT"
  },
  STATE_CONFLICT: {
    status: 409,
    detail: "The project's state does not allow this.",
    nextAction: "REREAD_PROJECT"
  },
  DEADLINE_NOT_FUTURE: {
    status: 409,
    detail: "The deadline of a new agreement must lie in the future.",
    nextAction: "CORRECT_REQUEST"
  },
  DELIVERY_DEADLINE_PASSED: {
    status: 409,
    detail: "The agreed date for this delivery has passed; a person can agree on a date revision.",
    nextAction: "REQUEST_DATE_CHANGE"
  },
  REVIEW_DEADLINE_PASSED: {
    status: 409,
    detail: "The agreed date for this review has passed; a person can agree on a date revision.",
    nextAction: "REQUEST_DATE_CHANGE"
  },
  SUBMISSION_MISMATCH: {
    status: 409,
    detail: "The request names another submission or review than the current one.",
    nextAction: "REREAD_PROJECT"
  },
  CONFIRMATION_MISMATCH: {
    status: 409,
    detail: "The request names another confirmation than the current one.",
    nextAction: "REREAD_PROJECT"
  },
  CRITERIA_INCOMPLETE: {
    status: 409,
    detail: "Every agreed criterion needs exactly one answer that fits this action.",
    nextAction: "CORRECT_REQUEST"
  },
  CHECKED_FILES_MISMATCH: {
    status: 409,
    detail: "The checked files are not exactly the files of this submission.",
    nextAction: "REREAD_PROJECT"
  },
  HUMAN_DECISION_REQUIRED: {
    status: 409,
    detail: "This decision is kept for a person here.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  WAIT_FOR_HUMAN: {
    status: 409,
    detail: "A person has to sign before this can go on.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  SIGNATURE_DATE_PASSED: {
    status: 409,
    detail: "The agreed date for this signature has passed; people revise the agreement.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  DATE_REVISION_PENDING: {
    status: 409,
    detail: "Another date was asked for; people revise the terms or lift the hold.",
    nextAction: "WAIT_FOR_HUMAN"
  },
  UNKNOWN_SIGNER: {
    status: 409,
    detail: "The principal is a member of the buyer's organization, and the counterparty another known person.",
    nextAction: "CORRECT_REQUEST"
  },
  REVIEW_CREATION_REQUIREMENTS: {
    status: 409,
    detail: "A new agreement needs the current legal documents and the digest of a previewed confirmation.",
    nextAction: "PREVIEW_CONFIRMATION"
  },
  LEGAL_DOCUMENTS_CHANGED: {
    status: 409,
    detail: "The legal documents are not the current ones.",
    nextAction: "READ_LEGAL_CONFIG"
  },
  CONFIRMATION_DIGEST_STALE: {
    status: 409,
    detail: "The confirmation digest is missing or is not the current one.",
    nextAction: "REREAD_PROJECT"
  },
  SUBJECT_REQUIREMENTS_NOT_PRESERVED: {
    status: 409,
    detail: "The agreement must carry the grant's subject requirements unchanged.",
    nextAction: "CORRECT_REQUEST"
  },
  SAME_PARTY: { status: 409, detail: "Buyer and supplier are different persons.", nextAction: "CORRECT_REQUEST" },
  UNKNOWN_SUPPLIER: { status: 409, detail: "No person has the supplier's id.", nextAction: "CORRECT_REQUEST" },
  CREATED_PROJECT_LIMIT: {
    status: 409,
    detail: "The grant has reached its number of projects.",
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  CREATED_PROPOSAL_LIMIT: {
    status: 409,
    detail: "The grant has reached its number of proposals.",
    nextAction: "ASK_OWNER_TO_REAUTHORIZE"
  },
  STALE_PROPOSAL_HEAD: {
    status: 409,
    detail: "The proposal has changed since this request was planned.",
    nextAction: "REREAD_PROPOSAL"
  },
  PROPOSAL_VERSION_STALE: {
    status: 409,
    detail: "The version named is not the current one.",
    nextAction: "REREAD_PROPOSAL"
  },
  PROPOSAL_DIGEST_MISMATCH: {
    status: 409,
    detail: "The digest named is not that of the published proposal.",
    nextAction: "REREAD_PROPOSAL"
  },
  RECIPIENT_MISMATCH: {
    status: 409,
    detail: "The author's workspace has no contact with this exact reference for this person.",
    nextAction: "CORRECT_REQUEST"
  },
  UNKNOWN_SPECIFICATION: {
    status: 409,
    detail: "No public specification has this id and version.",
    nextAction: "CORRECT_REQUEST"
  },
  SPECIFICATION_DIGEST_MISMATCH: {
    status: 409,
    detail: "The digest named is not that of this version of the specification.",
    nextAction: "REREAD_SPECIFICATION"
  },
  HANDOFF_ENDED: {
    status: 409,
    detail: "This hand-over of a specification was used before, or is older than 24 hours.",
    nextAction: "OPEN_SPECIFICATION_AGAIN"
  },
  DRAFT_CHANGED: {
    status: 409,
    detail: "The draft was changed or finished since this page was opened.",
    nextAction: "REREAD_DRAFT"
  },
  DRAFT_LIMIT: {
    status: 409,
    detail: "The grant has prepared as many drafts as it can.",
    nextAction: "ASK_OWNER"
  },
  SAVED_JOB_LIMIT: {
    status: 429,
    detail: "The grant has prepared as many jobs as it can.",
    nextAction: "ASK_OWNER"
  },
  SUBSCRIPTION_LIMIT: {
    status: 429,
    detail: "As many subscriptions as there can be are in force.",
    nextAction: "ASK_OWNER"
  },
  REDELIVERY_LIMIT: {
    status: 429,
    detail: "This delivery has been attempted as often as it can be.",
    nextAction: "ASK_OWNER"
  },
  WEBHOOK_CURSOR_RESET_REQUIRED: {
    status: 409,
    detail: "This cursor is of an earlier form; the history is read once more from its beginning.",
    nextAction: "RESTART_DELIVERY_HISTORY"
  },
  WEBHOOK_CURSOR_INVALID: {
    status: 400,
    detail: "This is no checkpoint of this subscription.",
    nextAction: "USE_RETURNED_CHECKPOINT"
  },
  WEBHOOK_TIMESTAMP_STALE: {
    status: 409,
    detail: "The timestamp is more than five minutes away, or no timestamp.",
    nextAction: "DISCARD_CALLBACK"
  },
  WEBHOOK_SIGNATURE_INVALID: {
    status: 409,
    detail: "The signature is not of these bytes under the subscription's current secret.",
    nextAction: "DISCARD_CALLBACK"
  },
  WEBHOOK_EVENT_UNKNOWN: {
    status: 409,
    detail: "These exact bytes were never sent for this subscription.",
    nextAction: "DISCARD_CALLBACK"
  },
  RESULT_NOT_ISSUED: {
    status: 409,
    detail: "No result record was issued for this project.",
    nextAction: "REREAD_PROJECT"
  },
  RECIPIENT_NOT_NAMED: {
    status: 409,
    detail: "The agreement does not name this recipient.",
    nextAction: "CORRECT_REQUEST"
  },
  SHARE_LIMIT: {
    status: 409,
    detail: "The record was shared, or the share opened, as often as it can be.",
    nextAction: "ASK_OWNER"
  },
  ALREADY_EXISTS: { status: 409, detail: "This already exists.", nextAction: "CORRECT_REQUEST" },
  UNKNOWN_PARTY: { status: 404, detail: "No such person, organization, membership, grant or project." }
} as const satisfies { readonly [code: string]: Rule }

export type RefusalCode = keyof typeof refusals
