/**
 * The operations of the agent API: method, path and default inputs of each, by the name that scripts use. This table is
 * the only place that lists them.
 */
import type { Json, JsonObject } from "../../vocabulary/json.ts"
import {
  concernInputs,
  creationInputs,
  dateRevisionInputs,
  exportInputs,
  issueRecordInputs,
  respondInputs,
  reviewInputs,
  submitInputs,
  subscriptionInputs
} from "./default-inputs.ts"
import type { RequestPlan } from "../../clients/client-state.ts"
import {
  proposalResponseInputs,
  completeProposalTerms,
  completeProposalUpdate,
  proposalUpdateInputs,
  versionInputs,
  proposalInputs
} from "./proposal-inputs.ts"

/** Default members; a function is evaluated only if the step omits the member. */
export type DefaultInputs = { readonly [member: string]: Json | (() => Json) }

export interface ApiOperation {
  readonly method: "GET" | "POST"
  /** A name in braces is a parameter, filled from the step's `on`. */
  readonly path: string
  /** An agent's envelope has the head and the automation revision; a person's decision only the head. */
  readonly body: "none" | "query" | "plain" | "envelope" | "decision"
  /** The head member of the envelope; default that of a project. */
  readonly head?: Head
  /** True if the operation requires no credential. */
  readonly isPublic?: true
  /** Default members of the body (of `input` in an envelope). */
  readonly fill?: (plan: RequestPlan, given: JsonObject) => DefaultInputs
  /** Completes the input where a step gives only a part of a member. */
  readonly complete?: (plan: RequestPlan, given: JsonObject) => JsonObject
}

export interface Head {
  readonly member: string
  /** Its path in a view. */
  readonly path: string
}

export const headOfProject: Head = { member: "expectedEventHash", path: "project.headEventHash" }
export const headOfProposal: Head = { member: "expectedProposalHead", path: "proposal.proposalHead" }

const agents = "/api/agents/v1"

const command = (path: string, fill?: ApiOperation["fill"]): ApiOperation => ({
  method: "POST",
  path: `${agents}/projects/{id}${path}`,
  body: "envelope",
  ...(fill === undefined ? {} : { fill })
})

const proposalCommand = (path: string, fill: ApiOperation["fill"]): ApiOperation => ({
  ...command("", fill),
  path: `${agents}/proposals/{id}${path}`,
  head: headOfProposal
})

const webhookChange = (path: string): ApiOperation => ({
  method: "POST",
  path: `${agents}/webhooks/{subscriptionId}${path}`,
  body: "plain"
})

export const apiOperations: { readonly [name: string]: ApiOperation } = {
  capabilities: { method: "GET", path: `${agents}/capabilities`, body: "none", isPublic: true },
  startConnection: { method: "POST", path: `${agents}/connections`, body: "plain", isPublic: true },
  pollConnection: {
    method: "POST",
    path: `${agents}/connections/poll`,
    body: "plain",
    isPublic: true,
    fill: (plan) => ({ deviceCode: () => plan.lastAnswer("startConnection", "deviceCode") })
  },
  me: { method: "GET", path: `${agents}/me`, body: "none" },
  legalConfig: { method: "GET", path: "/api/acceptance/legal-config", body: "none", isPublic: true },
  confirmationPreview: {
    method: "POST",
    path: "/api/acceptance/confirmation-preview",
    body: "plain",
    isPublic: true,
    fill: (plan) => ({ ...plan.legalContext(), operation: "AGREEMENT" })
  },
  prepareDraft: { method: "POST", path: `${agents}/drafts`, body: "plain", fill: (plan) => ({ requestId: plan.uuid }) },
  createProject: { method: "POST", path: `${agents}/projects`, body: "plain", fill: creationInputs },
  readProject: { method: "GET", path: `${agents}/projects/{id}`, body: "none" },
  respond: command("/respond", respondInputs),
  submit: command("/submit", submitInputs),
  review: command("/review", reviewInputs),
  dateRevision: command("/date-revision", dateRevisionInputs),
  concern: command("/concern", concernInputs),
  handoff: command("/handoff", (plan) => ({ requestId: plan.uuid })),
  issueRecord: command("/issue-record", issueRecordInputs),
  listProposals: { method: "GET", path: `${agents}/proposals`, body: "query" },
  createProposal: {
    method: "POST",
    path: `${agents}/proposals`,
    body: "plain",
    fill: proposalInputs,
    complete: completeProposalTerms
  },
  readProposal: { method: "GET", path: `${agents}/proposals/{id}`, body: "none" },
  updateProposal: { ...proposalCommand("/update", proposalUpdateInputs), complete: completeProposalUpdate },
  publishProposal: proposalCommand("/publish", versionInputs),
  respondProposal: proposalCommand("/respond", proposalResponseInputs),
  withdrawProposal: proposalCommand("/withdraw", versionInputs),
  handoffProposal: proposalCommand("/handoff", (plan) => ({ requestId: plan.uuid })),
  prepareJob: { method: "POST", path: `${agents}/jobs`, body: "plain", fill: (plan) => ({ requestId: plan.uuid }) },
  listJobs: { method: "GET", path: `${agents}/jobs`, body: "query" },
  readJob: { method: "GET", path: `${agents}/jobs/{jobId}`, body: "none" },
  submitJob: {
    method: "POST",
    path: `${agents}/jobs/{jobId}/submit`,
    body: "plain",
    fill: () => ({ confirmed: true })
  },
  projectStatus: {
    method: "POST",
    path: `${agents}/projects/{id}/status`,
    body: "plain",
    fill: (plan) => ({ nonce: plan.uuid })
  },
  exportResultPackage: {
    method: "POST",
    path: `${agents}/projects/{id}/exports/result-package`,
    body: "plain",
    fill: exportInputs
  },
  readRecord: { method: "GET", path: `${agents}/projects/{id}/record`, body: "none" },
  exportStandardRecord: { method: "POST", path: `${agents}/projects/{id}/exports/standard-record`, body: "none" },
  listWebhooks: { method: "GET", path: `${agents}/webhooks`, body: "none" },
  createWebhook: { method: "POST", path: `${agents}/webhooks`, body: "plain", fill: subscriptionInputs },
  pauseWebhook: webhookChange("/pause"),
  resumeWebhook: webhookChange("/resume"),
  revokeWebhook: webhookChange("/revoke"),
  rotateWebhookSecret: webhookChange("/rotate-secret"),
  listWebhookDeliveries: { method: "GET", path: `${agents}/webhooks/{subscriptionId}/deliveries`, body: "query" },
  redeliverWebhook: webhookChange("/deliveries/{deliveryId}/redeliver"),
  verifyWebhook: webhookChange("/verify"),
  readItem: { method: "GET", path: "/api/participation/item", body: "none" },
  addNote: {
    method: "POST",
    path: "/api/participation/item/notes",
    body: "plain",
    fill: (plan) => ({ requestId: plan.uuid })
  }
}

/** The public operations on specifications. */
export const publicOperations: { readonly [name: string]: ApiOperation } = {
  searchSpecifications: { method: "GET", path: "/api/discover", body: "query", isPublic: true },
  readSpecification: {
    method: "GET",
    path: "/api/discover/specifications/{id}/versions/{version}",
    body: "none",
    isPublic: true
  }
}

/** The path parameters, in order. */
export const pathParametersOf = ({ path }: ApiOperation): ReadonlyArray<string> => path.match(parameter) ?? []

/** Fills the path parameters from the parts of `on`, which are separated by slashes. */
export const pathOf = ({ path }: ApiOperation, on: string | undefined): string => {
  const parts = (on ?? "").split("/")
  return path.replace(parameter, () => encodeURIComponent(parts.shift() ?? ""))
}

const parameter = /\{\w+\}/g
