/** Refusals without a scenario at the operation or a shared check, each with the test that covers it. */
export const coveringTests: { readonly [operation: string]: { readonly [code: string]: string } } = {
  acceptMembership: {
    ALREADY_EXISTS: "test/http/secret-canaries.test.ts",
    STATE_CONFLICT: "test/people/limits.test.ts"
  },
  acceptParticipation: {
    INVITATION_UNKNOWN: "test/participation/credential-kinds.test.ts"
  },
  acceptRepresentation: {
    INVITATION_UNKNOWN: "test/http/workspace/invitations.test.ts",
    SAME_PARTY: "test/http/workspace/projects.test.ts",
    STATE_CONFLICT: "test/http/workspace/projects.test.ts"
  },
  addContact: {
    STATE_CONFLICT: "test/people/limits.test.ts",
    UNKNOWN_PARTY: "test/http/workspace/people.test.ts"
  },
  answerProposal: {
    DELIVERY_HISTORY_LIMIT_REACHED: "test/proposals/readiness-property.test.ts",
    PROPOSAL_DIGEST_MISMATCH: "test/proposals/properties.test.ts"
  },
  approveConnection: {
    STATE_CONFLICT: "test/workspace/agents-proposals.test.ts",
    USER_CODE_UNKNOWN: "test/http/workspace/connections.test.ts"
  },
  approveResultOrder: {
    STALE_FINANCIAL_HEAD: "test/commerce/people.test.ts",
    STATE_CONFLICT: "test/commerce/people.test.ts",
    TERMS_DIGEST_MISMATCH: "test/commerce/people.test.ts"
  },
  changeRepresentative: {
    SAME_PARTY: "test/projects/person-commands.test.ts",
    UNKNOWN_SUPPLIER: "test/projects/person-commands.test.ts"
  },
  createAssistant: {
    SECRET_ALREADY_SHOWN: "test/participation/credential.test.ts",
    UNKNOWN_PARTY: "test/http/workspace/openapi.test.ts"
  },
  createGrant: {
    RECENT_SIGN_IN_REQUIRED: "test/http/workspace/grants.test.ts",
    SECRET_ALREADY_SHOWN: "test/http/workspace/grants.test.ts",
    STATE_CONFLICT: "test/workspace/agents-proposals.test.ts"
  },
  createProject: {
    FORBIDDEN_AGENT_ACTION: "test/http/order-of-checks.test.ts"
  },
  createProposal: {
    FORBIDDEN_AGENT_ACTION: "test/proposals/check-order.test.ts"
  },
  declineResultOrder: {
    STALE_FINANCIAL_HEAD: "test/commerce/people.test.ts",
    STATE_CONFLICT: "test/commerce/people.test.ts",
    TERMS_DIGEST_MISMATCH: "test/commerce/people.test.ts"
  },
  denyConnection: {
    STATE_CONFLICT: "test/http/workspace/connections.test.ts",
    USER_CODE_UNKNOWN: "test/http/workspace/connections.test.ts"
  },
  downloadPackage: {
    PROJECT_READ_ONLY: "test/projects/lost-history.test.ts",
    RESULT_NOT_ISSUED: "test/records/package-routes.test.ts"
  },
  downloadSupplierPackage: {
    RESULT_NOT_ISSUED: "test/records/package-routes.test.ts"
  },
  endAssistant: {
    UNKNOWN_PARTY: "test/http/workspace/openapi.test.ts"
  },
  endMembership: {
    UNKNOWN_PARTY: "test/http/workspace/openapi.test.ts"
  },
  exportClosure: {
    COMMERCE_EXPORT_LIMIT: "test/closure/refusals.test.ts",
    EXPORT_TOO_LARGE: "test/closure/refusals.test.ts"
  },
  exportClosureWithHistory: {
    CLOSURE_LINEAGE_INVALID: "test/closure/lineage.test.ts",
    COMMERCE_EXPORT_LIMIT: "test/closure/lineage.test.ts",
    EXPORT_TOO_LARGE: "test/closure/lineage.test.ts",
    PAYMENT_ATTEMPT_MISSING: "test/closure/lineage.test.ts"
  },
  exportCommerceRecord: {
    COMMERCE_EXPORT_LIMIT: "test/commerce/captures.test.ts"
  },
  readClosureStatus: { COMMERCE_EXPORT_LIMIT: "test/commerce/status-size.test.ts" },
  readCommerceStatus: {
    COMMERCE_EXPORT_LIMIT: "test/commerce/status-size.test.ts",
    COMMERCE_RECORD_NOT_EXPORTED: "test/commerce/status.test.ts"
  },
  receivePaymentNotification: {
    NOTIFICATION_INVALID: "test/commerce/notifications.test.ts",
    PAYMENTS_NOT_CONFIGURED: "test/commerce/notifications.test.ts"
  },
  recordHistoryReference: {
    ALREADY_EXISTS: "test/closure/history-reference.test.ts",
    HISTORY_REFERENCE_INVALID: "test/closure/history-reference.test.ts"
  },
  refreshCommerceOrder: {
    PAYMENTS_NOT_CONFIGURED: "test/commerce/refresh.test.ts",
    STATE_CONFLICT: "test/commerce/refresh.test.ts"
  },
  exportPassport: {
    EXPORT_TOO_LARGE: "test/publications/public.test.ts"
  },
  exportResultPackage: {
    AGREEMENT_DIGEST_MISMATCH: "test/http/order-of-checks.test.ts"
  },
  exportStandardRecord: {
    RESULT_NOT_ISSUED: "test/records/exports.test.ts"
  },
  finishItem: {
    UNKNOWN_PARTY: "test/http/workspace/openapi.test.ts"
  },
  handoffProposal: {
    STALE_PROPOSAL_HEAD: "test/proposals/bodies.test.ts"
  },
  inviteMember: {
    SECRET_ALREADY_SHOWN: "test/http/workspace/invitations.test.ts"
  },
  inviteParticipant: {
    STATE_CONFLICT: "test/participation/invitations.test.ts"
  },
  inviteRepresentative: {
    DELIVERY_HISTORY_LIMIT_REACHED: "test/http/full-history.test.ts",
    STATE_CONFLICT: "test/http/workspace/projects.test.ts"
  },
  listOwnWebhookDeliveries: {
    WEBHOOK_CURSOR_INVALID: "test/webhooks/person.test.ts",
    WEBHOOK_CURSOR_RESET_REQUIRED: "test/webhooks/person.test.ts"
  },
  makeAccount: {
    STATE_CONFLICT: "test/people/sessions.test.ts"
  },
  offerResultOrder: {
    AGREEMENT_DIGEST_MISMATCH: "test/commerce/people.test.ts",
    ALREADY_EXISTS: "test/commerce/people.test.ts",
    PAYMENTS_NOT_CONFIGURED: "test/commerce/captures.test.ts",
    RECIPIENT_NOT_PAYABLE: "test/commerce/people.test.ts",
    RESULT_NOT_ISSUED: "test/commerce/people.test.ts",
    RESULT_ORDER_LIMIT: "test/commerce/people.test.ts",
    STATE_CONFLICT: "test/commerce/people.test.ts"
  },
  openRecipientAccount: {
    PAYMENTS_NOT_CONFIGURED: "test/commerce/captures.test.ts"
  },
  openSharedRecord: {
    SHARE_LIMIT: "test/records/sharing.test.ts"
  },
  pauseProposal: {
    STATE_CONFLICT: "test/proposals/properties.test.ts"
  },
  payResultOrder: {
    ATTEMPT_LIMIT: "test/commerce/captures.test.ts",
    PAYMENT_ATTEMPT_OPEN: "test/commerce/people.test.ts",
    PAYMENTS_NOT_CONFIGURED: "test/commerce/captures.test.ts",
    RECIPIENT_NOT_PAYABLE: "test/commerce/people.test.ts",
    STALE_FINANCIAL_HEAD: "test/commerce/people.test.ts",
    STATE_CONFLICT: "test/commerce/people.test.ts",
    TERMS_DIGEST_MISMATCH: "test/commerce/people.test.ts"
  },
  prepareDraft: {
    SUBJECT_REQUIREMENTS_NOT_PRESERVED: "test/drafts/agents.test.ts"
  },
  prepareJob: {
    AGENT_PAUSED: "test/jobs/concurrency.test.ts",
    CRITERIA_INCOMPLETE: "test/jobs/order-of-checks.test.ts",
    DELIVERY_HISTORY_LIMIT_REACHED: "test/jobs/prepare-refusals.test.ts"
  },
  publishAsPerson: {
    PROPOSAL_VERSION_STALE: "test/proposals/properties.test.ts"
  },
  publishProposal: {
    SUBJECT_REQUIREMENTS_NOT_PRESERVED: "test/proposals/subject-requirements.test.ts"
  },
  readConnection: {
    USER_CODE_UNKNOWN: "test/http/workspace/connections.test.ts"
  },
  readGrant: {
    UNKNOWN_PARTY: "test/http/workspace/grants.test.ts"
  },
  readItemWithNotes: {
    UNKNOWN_PARTY: "test/http/workspace/openapi.test.ts"
  },
  readRecipientAccount: {
    PAYMENTS_NOT_CONFIGURED: "test/commerce/captures.test.ts"
  },
  readRecord: {
    RESULT_NOT_ISSUED: "test/records/exports.test.ts"
  },
  redeliverWebhook: {
    FORBIDDEN_AGENT_PROJECT_SCOPE: "test/webhooks/wire-deliveries.test.ts"
  },
  removeAccount: {
    STATE_CONFLICT: "test/http/workspace/concurrency.test.ts",
    UNKNOWN_PARTY: "test/http/workspace/people.test.ts"
  },
  renewGrant: {
    UNKNOWN_PARTY: "test/http/workspace/grants.test.ts"
  },
  respondProposal: {
    CREATED_PROJECT_LIMIT: "test/proposals/check-order.test.ts",
    SUBJECT_REQUIREMENTS_NOT_PRESERVED: "test/proposals/check-order.test.ts"
  },
  review: {
    SUBMISSION_MISMATCH: "test/http/order-of-checks.test.ts"
  },
  reviewAsPerson: {
    CHECKED_FILES_MISMATCH: "test/http/order-of-checks-of-people.test.ts",
    CRITERIA_INCOMPLETE: "test/http/order-of-checks-of-people.test.ts",
    RECENT_SIGN_IN_REQUIRED: "test/http/order-of-checks-of-people.test.ts",
    SUBMISSION_MISMATCH: "test/http/order-of-checks-of-people.test.ts"
  },
  revokeGrant: {
    UNKNOWN_PARTY: "test/http/workspace/grants.test.ts"
  },
  revokeInvitation: {
    UNKNOWN_PARTY: "test/http/workspace/invitations.test.ts"
  },
  shareRecord: {
    ALREADY_EXISTS: "test/records/share.test.ts",
    SAME_PARTY: "test/records/share.test.ts",
    STATE_CONFLICT: "test/records/sharing.test.ts",
    UNKNOWN_PARTY: "test/records/sharing.test.ts"
  },
  submitAsPerson: {
    AGREEMENT_DIGEST_MISMATCH: "test/http/order-of-checks-of-people.test.ts",
    CRITERIA_INCOMPLETE: "test/http/order-of-checks-of-people.test.ts",
    SUBMISSION_MISMATCH: "test/http/order-of-checks-of-people.test.ts"
  },
  submitJob: {
    DELIVERY_HISTORY_LIMIT_REACHED: "test/jobs/prepare-refusals.test.ts"
  },
  updateAsPerson: {
    PROPOSAL_VERSION_STALE: "test/proposals/properties.test.ts"
  },
  updateProposal: {
    DELIVERY_HISTORY_LIMIT_REACHED: "test/proposals/check-order.test.ts",
    PROPOSAL_VERSION_STALE: "test/proposals/check-order.test.ts",
    SUBJECT_REQUIREMENTS_NOT_PRESERVED: "test/proposals/check-order.test.ts"
  },
  verifyWebhook: {
    FORBIDDEN_AGENT_PROJECT_SCOPE: "test/webhooks/wire-verify.test.ts"
  },
  withdrawAsPerson: {
    PROPOSAL_VERSION_STALE: "test/proposals/properties.test.ts"
  },
  withdrawItem: {
    HTTPS_REQUIRED: "test/http/workspace/openapi.test.ts",
    UNKNOWN_PARTY: "test/http/workspace/openapi.test.ts"
  },
  withdrawProposal: {
    PROPOSAL_VERSION_STALE: "test/proposals/properties.test.ts"
  },
  withdrawResultOrder: {
    PAYMENT_ATTEMPT_OPEN: "test/commerce/people.test.ts",
    STALE_FINANCIAL_HEAD: "test/commerce/people.test.ts",
    STATE_CONFLICT: "test/commerce/people.test.ts",
    TERMS_DIGEST_MISMATCH: "test/commerce/people.test.ts"
  }
}
