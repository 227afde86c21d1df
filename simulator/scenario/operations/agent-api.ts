/** The operations of the agent API and of the public API: body and default inputs of each, by operation name. */
import { Api } from "../../../src/api/agents.ts"
import { PublicApi } from "../../../src/api/public.ts"
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
  concernInputs,
  creationInputs,
  dateRevisionInputs,
  exportInputs,
  issueRecordInputs,
  respondInputs,
  reviewInputs,
  selectionInputs,
  submitInputs,
  subscriptionInputs
} from "./default-inputs.ts"
import {
  proposalResponseInputs,
  completeProposalTerms,
  completeProposalUpdate,
  proposalUpdateInputs,
  versionInputs,
  proposalInputs
} from "./proposal-inputs.ts"

/** An agent's command on a project. */
const command = (fill?: RequestForm["fill"]): RequestForm => withBody(fill, "envelope")

const proposalCommand = (fill: RequestForm["fill"]): RequestForm => ({ ...command(fill), head: headOfProposal })

const handoff = command(withRequestId.fill)

export const apiOperations: ApiOperations = operationsOf(Api, {
  capabilities: withoutBody,
  startConnection: withBody(),
  pollConnection: withBody((plan) => ({ deviceCode: () => plan.lastAnswer("startConnection", "deviceCode") })),
  me: withoutBody,
  legalConfig: withoutBody,
  confirmationPreview: withBody((plan) => ({ ...plan.legalContext(), operation: "AGREEMENT" })),
  prepareDraft: withRequestId,
  createProject: withBody(creationInputs),
  readProject: withoutBody,
  respond: command(respondInputs),
  submit: command(submitInputs),
  review: command(reviewInputs),
  dateRevision: command(dateRevisionInputs),
  concern: command(concernInputs),
  handoff,
  issueRecord: command(issueRecordInputs),
  listProposals: withQuery,
  createProposal: { ...withBody(proposalInputs), complete: completeProposalTerms },
  readProposal: withoutBody,
  updateProposal: { ...proposalCommand(proposalUpdateInputs), complete: completeProposalUpdate },
  publishProposal: proposalCommand(versionInputs),
  respondProposal: proposalCommand(proposalResponseInputs),
  withdrawProposal: proposalCommand(versionInputs),
  handoffProposal: { ...handoff, head: headOfProposal },
  prepareJob: withRequestId,
  listJobs: withQuery,
  readJob: withoutBody,
  submitJob: withBody(() => ({ confirmed: true })),
  projectStatus: withBody((plan) => ({ nonce: plan.uuid })),
  exportResultPackage: withBody(exportInputs),
  readRecord: withoutBody,
  exportStandardRecord: withoutBody,
  listWebhooks: withoutBody,
  createWebhook: withBody(subscriptionInputs),
  pauseWebhook: withBody(),
  resumeWebhook: withBody(),
  revokeWebhook: withBody(),
  rotateWebhookSecret: withBody(),
  listWebhookDeliveries: withQuery,
  redeliverWebhook: withBody(),
  verifyWebhook: withBody(),
  readItem: withoutBody,
  addNote: withRequestId
})

/** The public operations on specifications and published results. */
export const publicOperations: ApiOperations = operationsOf(PublicApi, {
  searchSpecifications: withQuery,
  readSpecification: withoutBody,
  exportPassport: { ...withBody(selectionInputs), query: ["format"] },
  readPublicationStatus: withBody(selectionInputs),
  listDisclosedPublications: withQuery
})
