/** The refusals of each operation of the agent API, besides those of its credential, path and body. */
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { sharedChecks } from "./shared-checks.ts"

const {
  agentPreconditions,
  agentProjectCommand,
  agentProposalCommand,
  agentScope,
  webhookVerification,
  contact,
  currentConfirmation,
  deliveryDate,
  namedSigner,
  newAgreement,
  noHold,
  previewed,
  requestId,
  signature,
  signingDate,
  signer,
  terms
} = sharedChecks

export const agentRefusals: { readonly [operation: string]: ReadonlyArray<RefusalCode> } = {
  capabilities: [],
  startConnection: [],
  pollConnection: ["AUTH_INVALID", "CONNECTION_DENIED", "CONNECTION_EXPIRED"],
  me: [],
  legalConfig: [],
  confirmationPreview: ["LEGAL_DOCUMENTS_CHANGED"],
  prepareDraft: [
    ...requestId,
    "FORBIDDEN_AGENT_ACTION",
    "DRAFT_LIMIT",
    "SPECIFICATION_DIGEST_MISMATCH",
    "SUBJECT_REQUIREMENTS_NOT_PRESERVED",
    "UNKNOWN_SPECIFICATION"
  ],
  createProject: [
    ...requestId,
    ...newAgreement,
    "FORBIDDEN_AGENT_ACTION",
    "CREATED_PROJECT_LIMIT",
    "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
  ],
  readProject: agentScope,
  respond: [...agentProjectCommand, ...previewed, ...deliveryDate, "HUMAN_DECISION_REQUIRED", ...namedSigner],
  submit: [
    ...agentProjectCommand,
    "CRITERIA_INCOMPLETE",
    ...noHold,
    ...deliveryDate,
    ...signingDate,
    ...signature,
    "SUBMISSION_MISMATCH"
  ],
  review: [
    ...agentProjectCommand,
    "CHECKED_FILES_MISMATCH",
    ...previewed,
    "CRITERIA_INCOMPLETE",
    ...noHold,
    "HUMAN_DECISION_REQUIRED",
    "REVIEW_DEADLINE_PASSED",
    ...signingDate,
    ...signature,
    "SUBMISSION_MISMATCH"
  ],
  dateRevision: [...agentProjectCommand, ...noHold],
  concern: [...agentProjectCommand, ...currentConfirmation],
  handoff: [...agentScope, ...requestId, ...agentPreconditions, "STALE_EVENT_HEAD"],
  issueRecord: [...agentProjectCommand, ...previewed, ...currentConfirmation, "HUMAN_DECISION_REQUIRED"],
  listProposals: [],
  createProposal: [
    ...requestId,
    ...terms,
    "FORBIDDEN_AGENT_ACTION",
    "CREATED_PROPOSAL_LIMIT",
    ...signer,
    "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
  ],
  readProposal: agentScope,
  updateProposal: [...agentProposalCommand, ...terms, "PROPOSAL_VERSION_STALE", "SUBJECT_REQUIREMENTS_NOT_PRESERVED"],
  publishProposal: [
    ...agentProposalCommand,
    ...terms,
    "PROPOSAL_VERSION_STALE",
    ...contact,
    "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
  ],
  respondProposal: [
    ...agentProposalCommand,
    ...newAgreement,
    "CREATED_PROJECT_LIMIT",
    "HUMAN_DECISION_REQUIRED",
    "PROPOSAL_DIGEST_MISMATCH",
    "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
  ],
  withdrawProposal: [...agentProposalCommand, "PROPOSAL_VERSION_STALE"],
  handoffProposal: [
    ...agentScope,
    ...requestId,
    "AGENT_PAUSED",
    "AGENT_CHANGED_REFRESH_REQUIRED",
    "STALE_PROPOSAL_HEAD"
  ],
  prepareJob: [
    ...agentScope,
    ...requestId,
    "AGENT_PAUSED",
    "CRITERIA_INCOMPLETE",
    ...noHold,
    ...deliveryDate,
    "DELIVERY_HISTORY_LIMIT_REACHED",
    "SAVED_JOB_LIMIT",
    ...signingDate,
    ...signature,
    "STATE_CONFLICT"
  ],
  listJobs: agentScope,
  readJob: agentScope,
  submitJob: [...agentProjectCommand, ...noHold, ...deliveryDate, ...signingDate, ...signature],
  listWebhooks: [],
  createWebhook: [...requestId, "FORBIDDEN_AGENT_PROJECT_SCOPE", "SUBSCRIPTION_LIMIT"],
  pauseWebhook: ["STATE_CONFLICT"],
  resumeWebhook: ["STATE_CONFLICT", "SUBSCRIPTION_LIMIT"],
  revokeWebhook: ["STATE_CONFLICT"],
  rotateWebhookSecret: ["STATE_CONFLICT"],
  listWebhookDeliveries: ["WEBHOOK_CURSOR_INVALID", "WEBHOOK_CURSOR_RESET_REQUIRED"],
  redeliverWebhook: ["FORBIDDEN_AGENT_PROJECT_SCOPE", "REDELIVERY_LIMIT", "STATE_CONFLICT"],
  verifyWebhook: ["FORBIDDEN_AGENT_PROJECT_SCOPE", ...webhookVerification],
  readRecord: [...agentScope, "RESULT_NOT_ISSUED"],
  exportStandardRecord: [...agentScope, "RESULT_NOT_ISSUED"],
  exportResultPackage: [...agentScope, "AGREEMENT_DIGEST_MISMATCH", ...signer, "RESULT_NOT_ISSUED", "STALE_EVENT_HEAD"],
  projectStatus: [...agentScope, ...signer],
  readItem: [],
  addNote: [...requestId, "NOTE_LIMIT"],
  searchSpecifications: [],
  readSpecification: []
}
