/**
 * What a program can ask of the service over HTTP: the one table that knows method and path of each operation of the
 * agent API, and what a careful client fills in from what it has read. A script names operations as this table does.
 */
import type { Json, JsonObject } from "../script/json.ts"
import { concern, creation, dateRevision, exported, issueRecord, respond, review, submit } from "./filling.ts"
import type { Plan } from "./knowledge.ts"

/** Members to fill in; what must be drawn or read first is asked for only where the step leaves it out. */
export type Filling = { readonly [member: string]: Json | (() => Json) }

export interface ApiOperation {
  readonly method: "GET" | "POST"
  /** A name in braces stands for what the operation acts on. */
  readonly path: string
  /** An agent's envelope names the head and the automation revision; a person's decision the head alone. */
  readonly body: "none" | "plain" | "envelope" | "decision"
  /** True where no credential is asked for. */
  readonly isPublic?: true
  /** Members of the body (of `input` in an envelope) that a step may leave out. */
  readonly fill?: (plan: Plan, given: JsonObject) => Filling
  /** The whole input, where a step gives a part of one of its members. */
  readonly complete?: (plan: Plan, given: JsonObject) => JsonObject
}

const agents = "/api/agents/v1"

const command = (path: string, fill?: ApiOperation["fill"]): ApiOperation => ({
  method: "POST",
  path: `${agents}/projects/{id}${path}`,
  body: "envelope",
  ...(fill === undefined ? {} : { fill })
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
  createProject: { method: "POST", path: `${agents}/projects`, body: "plain", fill: creation },
  readProject: { method: "GET", path: `${agents}/projects/{id}`, body: "none" },
  respond: command("/respond", respond),
  submit: command("/submit", submit),
  review: command("/review", review),
  dateRevision: command("/date-revision", dateRevision),
  concern: command("/concern", concern),
  handoff: command("/handoff", (plan) => ({ requestId: plan.uuid })),
  issueRecord: command("/issue-record", issueRecord),
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
  readItem: { method: "GET", path: "/api/participation/item", body: "none" },
  addNote: {
    method: "POST",
    path: "/api/participation/item/notes",
    body: "plain",
    fill: (plan) => ({ requestId: plan.uuid })
  }
}

/** The names in braces of a path, in their order. */
export const parametersOf = ({ path }: ApiOperation): ReadonlyArray<string> => path.match(parameter) ?? []

/** Where a path has several names in braces, what it acts on has as many parts, with a slash between them. */
export const pathOf = ({ path }: ApiOperation, on: string | undefined): string => {
  const parts = (on ?? "").split("/")
  return path.replace(parameter, () => encodeURIComponent(parts.shift() ?? ""))
}

const parameter = /\{\w+\}/g
