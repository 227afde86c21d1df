/** The operations of the workspace API, which people call in a session, with the default inputs of each that needs its own. */
import { WorkspaceApi } from "../../../src/api/people.ts"
import { type ApiOperations, type Defaults, operationsOf } from "./api-operation.ts"
import {
  approvalInputs,
  confirmationInputs,
  completeTerms,
  concernInputs,
  creationInputs,
  dateRevisionInputs,
  decisionInputs,
  issueRecordInputs,
  offerInputs,
  orderCommandInputs,
  publicationInputs,
  respondInputs,
  personReviewInputs,
  signInputs,
  submitInputs,
  subscriptionInputs
} from "./default-inputs.ts"
import {
  proposalResponseInputs,
  draftChangeInputs,
  agreementFromDraft,
  completeDraftContent,
  completeProposalTerms,
  completeProposalUpdate,
  proposalUpdateInputs,
  versionInputs,
  proposalInputs
} from "./proposal-inputs.ts"

/** What a person gives an agent. */
const grantInputs: Defaults["fill"] = (plan) => ({
  organizationId: () => plan.organizationId,
  projectIds: [],
  consents: [],
  subjectRequirements: []
})

export const workspaceOperations: ApiOperations = operationsOf(WorkspaceApi, {
  removeAccount: { fill: () => ({ confirmed: true }) },

  approveConnection: { fill: (plan, given) => ({ codeMatches: true, ...grantInputs(plan, given) }) },
  createGrant: { fill: (plan, given) => ({ requestId: plan.uuid, ...grantInputs(plan, given) }) },
  renewGrant: { fill: (plan) => ({ requestId: plan.uuid, expectedGeneration: plan.generation }) },

  createOwnProject: {
    fill: (plan, given) => ({ organizationId: () => plan.organizationId, ...creationInputs(plan, given) })
  },
  reviseProject: { fill: decisionInputs, complete: completeTerms },
  respondAsPerson: { fill: respondInputs },
  signAgreement: { fill: signInputs },
  submitAsPerson: { fill: submitInputs },
  reviewAsPerson: { fill: personReviewInputs },
  requestDateChange: { fill: dateRevisionInputs },
  raiseConcern: { fill: concernInputs },
  resolveConcern: { fill: confirmationInputs },
  withdrawConfirmation: { fill: confirmationInputs },
  recordHistoryReference: { fill: (plan) => ({ requestId: plan.uuid }) },
  issueRecordAsPerson: { fill: issueRecordInputs },

  createOwnProposal: {
    fill: (plan, given) => ({ organizationId: () => plan.organizationId, ...proposalInputs(plan, given) }),
    complete: completeProposalTerms
  },
  updateAsPerson: { fill: proposalUpdateInputs, complete: completeProposalUpdate },
  publishAsPerson: { fill: versionInputs },
  answerProposal: { fill: proposalResponseInputs },
  withdrawAsPerson: { fill: versionInputs },

  createDraft: {
    fill: (plan) => ({ requestId: plan.uuid, organizationId: () => plan.organizationId, content: {} })
  },
  saveDraft: { fill: draftChangeInputs, complete: completeDraftContent },
  discardDraft: { fill: draftChangeInputs },
  commitDraft: { fill: draftChangeInputs, complete: agreementFromDraft },

  createOwnWebhook: { fill: subscriptionInputs },

  proposePublication: { fill: publicationInputs },
  approvePublication: { fill: approvalInputs },

  offerResultOrder: { fill: offerInputs },
  approveResultOrder: { fill: orderCommandInputs },
  declineResultOrder: { fill: orderCommandInputs },
  withdrawResultOrder: { fill: orderCommandInputs },
  payResultOrder: { fill: orderCommandInputs },

  acceptRepresentation: {
    fill: (plan) => ({ requestId: plan.uuid, organizationId: () => plan.organizationId })
  },
  inviteParticipant: { fill: (plan) => ({ requestId: plan.uuid, dueAt: null }) }
})
