/** One valid request of every operation with a body, with the data it needs. */
import { Effect } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import { requestOf, type ValidRequest } from "./valid-request.ts"
import { webhookRequests, emptyWebhookRequests } from "./webhook-requests.ts"
import { draftingAgent, flatDraft, nestedDraft } from "./drafts.ts"
import {
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  reviewOf,
  respondTo,
  startProject,
  submissionFor
} from "./parties.ts"
import { readProject, runToSubmitted, uuid } from "./parties.ts"
import { proposalRequests } from "./proposal-requests.ts"
import { publishedResult, selectionOf } from "./publications.ts"
import { legalDocument, send } from "./service.ts"

/** Each request is accepted once, in any order: every command has a project of its own. */
export const validRequests = Effect.gen(function* () {
  const awaiting = yield* startProject()
  const locked = yield* startProject()
  const opened = yield* readProject(locked.supplierAgent.token, locked.projectId)
  const answered = yield* sendCommand(
    locked.supplierAgent.token,
    locked.projectId,
    "respond",
    respondTo(opened, locked)
  )
  const delivered = yield* startProject()
  const view = yield* runToSubmitted(delivered)
  const accepted = yield* startProject()
  const acceptor = yield* makeAgent(accepted.buyer, "BUYER", ["CONFIRM_COMPLETION"], [accepted.projectId])
  const acceptance = reviewOf(yield* runToSubmitted(accepted), "ACCEPT")
  const confirmed = (yield* sendCommand(acceptor.token, accepted.projectId, "review", acceptance)).body
  const recorded = yield* startProject()
  const final = reviewOf(yield* runToSubmitted(recorded), "ACCEPT")
  const issued = (yield* sendCommand(recorded.buyerAgent.token, recorded.projectId, "review", final)).body

  const on = (
    operation: string,
    { projectId }: { readonly projectId: string },
    { token }: { readonly token: string },
    body: object
  ) => requestOf(operation, { on: projectId, token, body })
  const held = yield* startProject()
  const asking = yield* makeAgent(held.buyer, "BUYER", ["REQUEST_DATE_CHANGE"], [held.projectId])
  const toHold = (yield* sendCommand(
    held.supplierAgent.token,
    held.projectId,
    "respond",
    respondTo(yield* readProject(held.supplierAgent.token, held.projectId), held)
  )).body
  const contested = yield* startProject()
  const doubting = yield* makeAgent(
    contested.buyer,
    "BUYER",
    ["CONFIRM_COMPLETION", "RAISE_CONCERN"],
    [contested.projectId]
  )
  const doubted = (yield* sendCommand(
    doubting.token,
    contested.projectId,
    "review",
    reviewOf(yield* runToSubmitted(contested), "ACCEPT")
  )).body
  const stopped = yield* startProject()
  const preparing = yield* jobPreparation
  const sending = yield* jobPreparation
  const prepared = yield* send("POST", "/api/agents/v1/jobs", { token: sending.token, body: sending.body })
  const drafting = yield* draftingAgent(awaiting.buyer)
  const creationBody = creationInput(awaiting.supplier, yield* confirmAgreement, yield* now)
  const requests: ReadonlyArray<ValidRequest> = [
    requestOf("confirmationPreview", {
      body: { legalContext: { documents: [legalDocument] }, operation: "AGREEMENT" }
    }),
    requestOf("createProject", { token: awaiting.buyerAgent.token, body: creationBody, status: 201 }),
    ...[flatDraft(awaiting.supplier), nestedDraft(awaiting.supplier)].map((body) =>
      requestOf("prepareDraft", { token: drafting.token, body, status: 201 })
    ),
    on(
      "respond",
      awaiting,
      awaiting.supplierAgent,
      respondTo(yield* readProject(awaiting.supplierAgent.token, awaiting.projectId), awaiting)
    ),
    on("submit", locked, locked.supplierAgent, submissionFor(answered.body)),
    on("review", delivered, delivered.buyerAgent, reviewOf(view, "ACCEPT")),
    on("dateRevision", held, asking, dateRevisionOf(toHold)),
    on("concern", contested, doubting, concernOf(doubted)),
    on("handoff", stopped, stopped.buyerAgent, handoffOf(stopped.created)),
    on("issueRecord", accepted, accepted.buyerAgent, issueOf(confirmed)),
    on("exportResultPackage", recorded, recorded.buyerAgent, {
      expectedAgreementDigest: issued.project.agreement.digest,
      expectedEventHash: issued.project.headEventHash,
      nonce: uuid()
    }),
    on("projectStatus", recorded, recorded.buyerAgent, { nonce: uuid() }),
    requestOf("prepareJob", { token: preparing.token, body: preparing.body, status: 201 }),
    requestOf("submitJob", { on: prepared.body.jobId, token: sending.token, body: { confirmed: true } }),
    ...(yield* proposalRequests),
    ...(yield* webhookRequests)
  ]
  return requests
})

/** One valid request of every public operation with a body. */
export const publicRequests = Effect.gen(function* () {
  const { subjectId, publication } = yield* publishedResult
  const body = { selections: [selectionOf(publication)] }
  return ["exportPassport", "readPublicationStatus"].map((operation) => requestOf(operation, { on: subjectId, body }))
})

/** The same for operations with an empty object as body. */
export const emptyRequests: typeof emptyWebhookRequests = emptyWebhookRequests

/** The agent of a supplier with agreed terms, and the job that it can prepare. */
const jobPreparation = Effect.gen(function* () {
  const started = yield* startProject()
  const { token } = started.supplierAgent
  const opened = yield* readProject(token, started.projectId)
  const { body } = yield* sendCommand(token, started.projectId, "respond", respondTo(opened, started))
  return { token, body: jobOn(body) }
})

/** The saved job of a submission, based on a view of the project. */
export const jobOn = (view: any, changes: object = {}) => {
  const { summary, items } = submissionFor(view).input as unknown as { summary: string; items: ReadonlyArray<object> }
  return {
    requestId: uuid(),
    projectId: view.project.taskId as string,
    workflowReference: "workflow 7, step 2",
    summary,
    materials: items,
    ...changes
  }
}

/** The request to issue the record of a confirmed project. */
export const issueOf = ({ project, automation }: any) => ({
  expectedEventHash: project.headEventHash,
  automationRevision: automation.revision,
  input: {
    requestId: uuid(),
    agreementDigest: project.agreement.digest,
    expectedEventHash: project.headEventHash,
    confirmationId: project.confirmation.id,
    confirmationDigest: project.confirmations.issuance.digest,
    maxCredits: 1,
    reason: "Archive."
  }
})

export const dateRevisionOf = ({ project, automation }: any, purpose: "DELIVERY" | "REVIEW" = "DELIVERY") => ({
  expectedEventHash: project.headEventHash,
  automationRevision: automation.revision,
  input: {
    requestId: uuid(),
    agreementDigest: project.agreement.digest,
    expectedEventHash: project.headEventHash,
    purpose,
    reason: "More time is needed."
  }
})

export const concernOf = ({ project, automation }: any) => ({
  expectedEventHash: project.headEventHash,
  automationRevision: automation.revision,
  input: {
    requestId: uuid(),
    agreementDigest: project.agreement.digest,
    expectedEventHash: project.headEventHash,
    confirmationId: project.confirmation.id,
    kind: "MATERIALS",
    reason: "One file does not open."
  }
})

export const handoffOf = ({ project, automation }: any) => ({
  expectedEventHash: project.headEventHash,
  automationRevision: automation.revision,
  input: { requestId: uuid(), reason: "A person should look at this." }
})
