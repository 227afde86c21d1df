/** The operations of the workspace API, which people call in a session: body and default inputs of each, by name. */
import { WorkspaceApi } from "../../../src/api/people.ts"
import {
  type ApiOperations,
  headOfProposal,
  operationsOf,
  type RequestForm,
  withBody,
  withoutBody,
  withQuery,
  withRequestId
} from "./api-operation.ts"
import {
  approvalInputs,
  confirmationInputs,
  completeTerms,
  concernInputs,
  creationInputs,
  dateRevisionInputs,
  decisionInputs,
  issueRecordInputs,
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

/** A person's decision about a project. */
const decide = (fill: RequestForm["fill"] = decisionInputs): RequestForm => withBody(fill, "decision")

/** A person's decision about a proposal. */
const decideProposal = (fill: RequestForm["fill"]): RequestForm => ({ ...decide(fill), head: headOfProposal })

export const workspaceOperations: ApiOperations = operationsOf(WorkspaceApi, {
  readSession: withoutBody,
  signOut: withoutBody,
  endOtherSessions: withoutBody,
  makeAccount: withoutBody,
  removeAccount: withBody(() => ({ confirmed: true })),

  listMembers: withoutBody,
  endMembership: withoutBody,
  listInvitations: withoutBody,
  inviteMember: withRequestId,
  revokeInvitation: withoutBody,
  readInvitation: withBody(),
  acceptMembership: withBody(),
  listContacts: withoutBody,
  addContact: withBody(),
  removeContact: withBody(),

  enterUserCode: withBody(),
  readConnection: withoutBody,
  approveConnection: withBody((plan) => ({
    codeMatches: true,
    organizationId: () => plan.organizationId,
    projectIds: [],
    consents: [],
    subjectRequirements: []
  })),
  denyConnection: withoutBody,

  listGrants: withoutBody,
  readGrant: withoutBody,
  createGrant: withBody((plan) => ({
    requestId: plan.uuid,
    organizationId: () => plan.organizationId,
    projectIds: [],
    consents: [],
    subjectRequirements: []
  })),
  renewGrant: withBody((plan) => ({
    requestId: plan.uuid,
    expectedGeneration: plan.generation
  })),
  revokeGrant: withoutBody,
  readPresets: withoutBody,

  listProjects: withQuery,
  readOwnProject: withoutBody,
  pauseProject: withRequestId,
  resumeProject: withRequestId,
  createOwnProject: withBody((plan, given) => ({
    organizationId: () => plan.organizationId,
    ...creationInputs(plan, given)
  })),
  reviseProject: { ...decide(), complete: completeTerms },
  respondAsPerson: decide(respondInputs),
  signAgreement: decide(signInputs),
  submitAsPerson: decide(submitInputs),
  reviewAsPerson: decide(personReviewInputs),
  requestDateChange: decide(dateRevisionInputs),
  liftHold: decide(),
  raiseConcern: decide(concernInputs),
  resolveConcern: decide(confirmationInputs),
  withdrawConfirmation: decide(confirmationInputs),
  issueRecordAsPerson: decide(issueRecordInputs),
  changeRepresentative: decide(),

  listOwnProposals: withoutBody,
  createOwnProposal: {
    ...withBody((plan, given) => ({
      organizationId: () => plan.organizationId,
      ...proposalInputs(plan, given)
    })),
    complete: completeProposalTerms
  },
  readOwnProposal: withoutBody,
  updateAsPerson: { ...decideProposal(proposalUpdateInputs), complete: completeProposalUpdate },
  publishAsPerson: decideProposal(versionInputs),
  answerProposal: decideProposal(proposalResponseInputs),
  withdrawAsPerson: decideProposal(versionInputs),
  pauseProposal: withRequestId,
  resumeProposal: withRequestId,

  listDrafts: withoutBody,
  createDraft: withBody((plan) => ({
    requestId: plan.uuid,
    organizationId: () => plan.organizationId,
    content: {}
  })),
  readDraft: withoutBody,
  saveDraft: { ...withBody(draftChangeInputs), complete: completeDraftContent },
  discardDraft: withBody(draftChangeInputs),
  commitDraft: { ...withBody(draftChangeInputs), complete: agreementFromDraft },

  readCredits: withoutBody,
  shareRecord: withRequestId,
  listShares: withoutBody,
  revokeShare: withRequestId,
  listSharedRecords: withoutBody,
  openSharedRecord: withoutBody,

  downloadBuyerPackage: withoutBody,
  downloadSupplierPackage: withoutBody,
  downloadPackage: withoutBody,

  proposePublication: withBody(publicationInputs),
  listPublications: withoutBody,
  approvePublication: withBody(approvalInputs),
  withdrawPublication: withRequestId,

  listOwnWebhooks: withoutBody,
  createOwnWebhook: withBody(subscriptionInputs),
  pauseOwnWebhook: withBody(),
  resumeOwnWebhook: withBody(),
  revokeOwnWebhook: withBody(),
  rotateOwnWebhookSecret: withBody(),
  listOwnWebhookDeliveries: withQuery,
  redeliverOwnWebhook: withBody(),
  verifyOwnWebhook: withBody(),

  inviteRepresentative: withRequestId,
  acceptRepresentation: withBody((plan) => ({
    requestId: plan.uuid,
    organizationId: () => plan.organizationId
  })),

  inviteParticipant: withBody((plan) => ({
    requestId: plan.uuid,
    dueAt: null
  })),
  listProjectItems: withoutBody,
  acceptParticipation: withBody(),
  listItems: withoutBody,
  readItemWithNotes: withoutBody,
  withdrawItem: withoutBody,
  finishItem: withoutBody,
  createAssistant: withRequestId,
  endAssistant: withoutBody
})
