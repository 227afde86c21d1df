/** The operations of the agent API and of the public API, with the default inputs of each that needs its own. */
import { Api } from "../../../src/api/agents.ts"
import { PublicApi } from "../../../src/api/public.ts"
import { type ApiOperations, operationsOf } from "./api-operation.ts"
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

export const apiOperations: ApiOperations = operationsOf(Api, {
  pollConnection: { fill: (plan) => ({ deviceCode: () => plan.lastAnswer("startConnection", "deviceCode") }) },
  confirmationPreview: { fill: (plan) => ({ ...plan.legalContext(), operation: "AGREEMENT" }) },
  createProject: { fill: creationInputs },
  respond: { fill: respondInputs },
  submit: { fill: submitInputs },
  review: { fill: reviewInputs },
  dateRevision: { fill: dateRevisionInputs },
  concern: { fill: concernInputs },
  issueRecord: { fill: issueRecordInputs },
  createProposal: { fill: proposalInputs, complete: completeProposalTerms },
  updateProposal: { fill: proposalUpdateInputs, complete: completeProposalUpdate },
  publishProposal: { fill: versionInputs },
  respondProposal: { fill: proposalResponseInputs },
  withdrawProposal: { fill: versionInputs },
  submitJob: { fill: () => ({ confirmed: true }) },
  projectStatus: { fill: (plan) => ({ nonce: plan.uuid }) },
  exportResultPackage: { fill: exportInputs },
  createWebhook: { fill: subscriptionInputs }
})

/** The public operations on specifications and published results. */
export const publicOperations: ApiOperations = operationsOf(PublicApi, {
  exportPassport: { fill: selectionInputs },
  readPublicationStatus: { fill: selectionInputs }
})
