/**
 * The operations of the workspace API, which people call in a session: method, path and default inputs of each, by the
 * name that scripts use.
 */
import { type ApiOperation, headOfProposal } from "./agent-api.ts"
import {
  confirmationInputs,
  completeTerms,
  concernInputs,
  creationInputs,
  dateRevisionInputs,
  decisionInputs,
  issueRecordInputs,
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

const workspace = "/api/workspace"

const get = (path: string): ApiOperation => ({ method: "GET", path: `${workspace}${path}`, body: "none" })

/** A change without a body. */
const post = (path: string): ApiOperation => ({ method: "POST", path: `${workspace}${path}`, body: "none" })

const send = (path: string, fill?: ApiOperation["fill"]): ApiOperation => ({
  method: "POST",
  path: `${workspace}${path}`,
  body: "plain",
  ...(fill === undefined ? {} : { fill })
})

/** An idempotent change with a request id. */
const request = (path: string): ApiOperation => send(path, (plan) => ({ requestId: plan.uuid }))

/** A person's decision about a project. */
const decide = (path: string, fill: ApiOperation["fill"] = decisionInputs): ApiOperation => ({
  ...send(`/projects/{id}${path}`, fill),
  body: "decision"
})

/** A person's decision about a proposal. */
const decideProposal = (path: string, fill: ApiOperation["fill"]): ApiOperation => ({
  ...send(`/proposals/{id}${path}`, fill),
  body: "decision",
  head: headOfProposal
})

const webhooks = "/api/acceptance/project-webhooks"

const ownWebhook = (path: string, fill?: ApiOperation["fill"]): ApiOperation => ({
  ...send("", fill),
  path: `${webhooks}${path}`
})

export const workspaceOperations: { readonly [name: string]: ApiOperation } = {
  readSession: get("/session"),
  signOut: post("/session/sign-out"),
  endOtherSessions: post("/session/end-others"),
  makeAccount: post("/account"),
  removeAccount: send("/account/remove", () => ({ confirmed: true })),

  listMembers: get("/organizations/{organizationId}/members"),
  endMembership: post("/memberships/{membershipId}/end"),
  listInvitations: get("/organizations/{organizationId}/invitations"),
  inviteMember: request("/organizations/{organizationId}/invitations"),
  revokeInvitation: post("/invitations/{invitationId}/revoke"),
  readInvitation: send("/invitations/read"),
  acceptMembership: send("/invitations/accept-membership"),
  listContacts: get("/organizations/{organizationId}/contacts"),
  addContact: send("/organizations/{organizationId}/contacts"),
  removeContact: send("/organizations/{organizationId}/contacts/remove"),

  enterUserCode: send("/connections/enter"),
  readConnection: get("/connections/{connectionId}"),
  approveConnection: send("/connections/{connectionId}/approve", (plan) => ({
    codeMatches: true,
    organizationId: () => plan.organizationId,
    projectIds: [],
    consents: [],
    subjectRequirements: []
  })),
  denyConnection: post("/connections/{connectionId}/deny"),

  listGrants: get("/grants"),
  readGrant: get("/grants/{grantId}"),
  createGrant: send("/grants", (plan) => ({
    requestId: plan.uuid,
    organizationId: () => plan.organizationId,
    projectIds: [],
    consents: [],
    subjectRequirements: []
  })),
  renewGrant: send("/grants/{grantId}/renew", (plan) => ({
    requestId: plan.uuid,
    expectedGeneration: plan.generation
  })),
  revokeGrant: post("/grants/{grantId}/revoke"),
  readPresets: get("/presets"),

  listProjects: get("/projects"),
  readOwnProject: get("/projects/{id}"),
  pauseProject: request("/projects/{id}/pause"),
  resumeProject: request("/projects/{id}/resume"),
  createOwnProject: send("/projects", (plan, given) => ({
    organizationId: () => plan.organizationId,
    ...creationInputs(plan, given)
  })),
  reviseProject: { ...decide("/revise"), complete: completeTerms },
  respondAsPerson: decide("/respond", respondInputs),
  signAgreement: decide("/sign", signInputs),
  submitAsPerson: decide("/submit", submitInputs),
  reviewAsPerson: decide("/review", personReviewInputs),
  requestDateChange: decide("/date-revision", dateRevisionInputs),
  liftHold: decide("/lift-hold"),
  raiseConcern: decide("/concern", concernInputs),
  resolveConcern: decide("/resolve-concern", confirmationInputs),
  withdrawConfirmation: decide("/withdraw-confirmation", confirmationInputs),
  issueRecordAsPerson: decide("/issue-record", issueRecordInputs),
  changeRepresentative: decide("/change-representative"),

  listOwnProposals: get("/proposals"),
  createOwnProposal: {
    ...send("/proposals", (plan, given) => ({
      organizationId: () => plan.organizationId,
      ...proposalInputs(plan, given)
    })),
    complete: completeProposalTerms
  },
  readOwnProposal: get("/proposals/{id}"),
  updateAsPerson: { ...decideProposal("/update", proposalUpdateInputs), complete: completeProposalUpdate },
  publishAsPerson: decideProposal("/publish", versionInputs),
  answerProposal: decideProposal("/respond", proposalResponseInputs),
  withdrawAsPerson: decideProposal("/withdraw", versionInputs),
  pauseProposal: request("/proposals/{id}/pause"),
  resumeProposal: request("/proposals/{id}/resume"),

  listDrafts: get("/drafts"),
  createDraft: send("/drafts", (plan) => ({
    requestId: plan.uuid,
    organizationId: () => plan.organizationId,
    content: {}
  })),
  readDraft: get("/drafts/{id}"),
  saveDraft: { ...send("/drafts/{id}/save", draftChangeInputs), complete: completeDraftContent },
  discardDraft: send("/drafts/{id}/discard", draftChangeInputs),
  commitDraft: { ...send("/drafts/{id}/commit", draftChangeInputs), complete: agreementFromDraft },

  readCredits: get("/organizations/{organizationId}/credits"),
  shareRecord: request("/projects/{id}/record-shares"),
  listShares: get("/projects/{id}/record-shares"),
  revokeShare: request("/projects/{id}/record-shares/{shareId}/revoke"),
  listSharedRecords: get("/shared-records"),
  openSharedRecord: post("/shared-records/{shareId}/open"),

  downloadBuyerPackage: { ...get(""), path: "/api/acceptance/tasks/{id}/result/package" },
  downloadSupplierPackage: { ...get(""), path: "/api/acceptance/provider-tasks/{id}/result/package" },
  downloadPackage: { ...get(""), path: "/api/transactions/{id}/result/package" },

  listOwnWebhooks: { ...get(""), path: webhooks },
  createOwnWebhook: ownWebhook("", subscriptionInputs),
  pauseOwnWebhook: ownWebhook("/{subscriptionId}/pause"),
  resumeOwnWebhook: ownWebhook("/{subscriptionId}/resume"),
  revokeOwnWebhook: ownWebhook("/{subscriptionId}/revoke"),
  rotateOwnWebhookSecret: ownWebhook("/{subscriptionId}/rotate-secret"),
  listOwnWebhookDeliveries: { ...get(""), path: `${webhooks}/{subscriptionId}/deliveries`, body: "query" },
  redeliverOwnWebhook: ownWebhook("/{subscriptionId}/deliveries/{deliveryId}/redeliver"),
  verifyOwnWebhook: ownWebhook("/{subscriptionId}/verify"),

  inviteRepresentative: request("/projects/{id}/representative-invitations"),
  acceptRepresentation: send("/invitations/accept-representation", (plan) => ({
    requestId: plan.uuid,
    organizationId: () => plan.organizationId
  })),

  inviteParticipant: send("/projects/{id}/participation-invitations", (plan) => ({
    requestId: plan.uuid,
    dueAt: null
  })),
  listProjectItems: get("/projects/{id}/items"),
  acceptParticipation: send("/invitations/accept-participation"),
  listItems: get("/items"),
  readItemWithNotes: get("/items/{itemId}"),
  withdrawItem: post("/items/{itemId}/withdraw"),
  finishItem: post("/items/{itemId}/done"),
  createAssistant: request("/items/{itemId}/credentials"),
  endAssistant: post("/items/{itemId}/credentials/end")
}
