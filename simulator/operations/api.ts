/**
 * What a program can ask of the service over HTTP: the one table that knows method and path of each operation of the
 * agent API, and what a careful client fills in from what it has read. A script names operations as this table does.
 */
import type { Json, JsonObject } from "../script/json.ts"
import type { Plan } from "./knowledge.ts"

/** Members to fill in; what must be drawn or read first is asked for only where the step leaves it out. */
export type Filling = { readonly [member: string]: Json | (() => Json) }

export interface ApiOperation {
  readonly method: "GET" | "POST"
  /** A name in braces stands for what the operation acts on. */
  readonly path: string
  readonly body: "none" | "plain" | "envelope"
  /** True where no credential is asked for. */
  readonly isPublic?: true
  /** Members of the body (of `input` in an envelope) that a step may leave out. */
  readonly fill?: (plan: Plan, given: JsonObject) => Filling
}

const agents = "/api/agents/v1"

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
  createProject: {
    method: "POST",
    path: `${agents}/projects`,
    body: "plain",
    fill: (plan) => ({
      requestId: plan.uuid,
      ...plan.legalContext(),
      ...plan.previewedConfirmation()
    })
  },
  readProject: { method: "GET", path: `${agents}/projects/{id}`, body: "none" },
  respond: {
    method: "POST",
    path: `${agents}/projects/{id}/respond`,
    body: "envelope",
    fill: (plan) => ({
      requestId: plan.uuid,
      agreementDigest: () => plan.read("project.agreement.digest"),
      actorId: () => plan.personId,
      actorRole: () => plan.role,
      authorityAttested: true,
      ...plan.confirmationFor("respond")
    })
  },
  submit: {
    method: "POST",
    path: `${agents}/projects/{id}/submit`,
    body: "envelope",
    fill: (plan) => ({
      requestId: plan.uuid,
      agreementDigest: () => plan.read("project.agreement.digest"),
      previousSubmissionId: () => plan.read("project.submission.id"),
      respondsToReviewId: () => plan.read("project.review.id")
    })
  },
  review: {
    method: "POST",
    path: `${agents}/projects/{id}/review`,
    body: "envelope",
    fill: (plan, given) => ({
      requestId: plan.uuid,
      agreementDigest: () => plan.read("project.agreement.digest"),
      submissionId: () => plan.read("project.submission.id"),
      expectedEventHash: () => plan.read("project.headEventHash"),
      ...(given["action"] === "ACCEPT" ? { nextAction: "", checkedFiles: plan.filesOfSubmission() } : {}),
      ...(given["action"] === "ACCEPT" ? plan.confirmationFor("acceptance") : {})
    })
  },
  issueRecord: {
    method: "POST",
    path: `${agents}/projects/{id}/issue-record`,
    body: "envelope",
    fill: (plan) => ({
      requestId: plan.uuid,
      agreementDigest: () => plan.read("project.agreement.digest"),
      expectedEventHash: () => plan.read("project.headEventHash"),
      confirmationId: () => plan.read("project.confirmation.id"),
      ...plan.confirmationFor("issuance"),
      maxCredits: 1
    })
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
    fill: (plan) => ({
      expectedAgreementDigest: () => plan.read("project.agreement.digest"),
      expectedEventHash: () => plan.read("project.headEventHash"),
      nonce: plan.uuid
    })
  },
  readItem: { method: "GET", path: "/api/participation/item", body: "none" },
  addNote: {
    method: "POST",
    path: "/api/participation/item/notes",
    body: "plain",
    fill: (plan) => ({ requestId: plan.uuid })
  }
}

export const actsOnSomething = (operation: ApiOperation): boolean => parameter.test(operation.path)

export const pathOf = (operation: ApiOperation, on: string | undefined): string =>
  operation.path.replace(parameter, encodeURIComponent(on ?? ""))

const parameter = /\{\w+\}/
