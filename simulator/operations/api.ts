/**
 * The operations of the agent API: method, path and default inputs of each, by the name that scripts use. This table is
 * the only place that lists them.
 */
import type { Json, JsonObject } from "../script/json.ts"
import {
  concern,
  creation,
  dateRevision,
  exported,
  issueRecord,
  respond,
  review,
  submit,
  subscription
} from "./filling.ts"
import type { Plan } from "./knowledge.ts"
import { answerProposal, fullTerms, fullUpdate, proposalUpdate, versioned, writeProposal } from "./preparing.ts"

/** Default members; a function is evaluated only if the step omits the member. */
export type Filling = { readonly [member: string]: Json | (() => Json) }

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
  readonly fill?: (plan: Plan, given: JsonObject) => Filling
  /** Completes the input where a step gives only a part of a member. */
  readonly complete?: (plan: Plan, given: JsonObject) => JsonObject
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
    fill: (plan) => ({ deviceCode: () => plan.answered("startConnection", "deviceCode") })
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
  createProject: { method: "POST", path: `${agents}/projects`, body: "plain", fill: creation },
  readProject: { method: "GET", path: `${agents}/projects/{id}`, body: "none" },
  respond: command("/respond", respond),
  submit: command("/submit", submit),
  review: command("/review", review),
  dateRevision: command("/date-revision", dateRevision),
  concern: command("/concern", concern),
  handoff: command("/handoff", (plan) => ({ requestId: plan.uuid })),
  issueRecord: command("/issue-record", issueRecord),
  listProposals: { method: "GET", path: `${agents}/proposals`, body: "query" },
  createProposal: {
    method: "POST",
    path: `${agents}/proposals`,
    body: "plain",
    fill: writeProposal,
    complete: fullTerms
  },
  readProposal: { method: "GET", path: `${agents}/proposals/{id}`, body: "none" },
  updateProposal: { ...proposalCommand("/update", proposalUpdate), complete: fullUpdate },
  publishProposal: proposalCommand("/publish", versioned),
  respondProposal: proposalCommand("/respond", answerProposal),
  withdrawProposal: proposalCommand("/withdraw", versioned),
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
    fill: exported
  },
  readRecord: { method: "GET", path: `${agents}/projects/{id}/record`, body: "none" },
  exportStandardRecord: { method: "POST", path: `${agents}/projects/{id}/exports/standard-record`, body: "none" },
  listWebhooks: { method: "GET", path: `${agents}/webhooks`, body: "none" },
  createWebhook: { method: "POST", path: `${agents}/webhooks`, body: "plain", fill: subscription },
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
export const parametersOf = ({ path }: ApiOperation): ReadonlyArray<string> => path.match(parameter) ?? []

/** Fills the path parameters from the parts of `on`, which are separated by slashes. */
export const pathOf = ({ path }: ApiOperation, on: string | undefined): string => {
  const parts = (on ?? "").split("/")
  return path.replace(parameter, () => encodeURIComponent(parts.shift() ?? ""))
}

const parameter = /\{\w+\}/g
