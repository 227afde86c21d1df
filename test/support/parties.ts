/** Two organizations, two people and their agents, and the requests of these agents. */
import { Effect } from "effect"
import type { Action } from "../../src/access/actions.ts"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { createOrganization, createPerson } from "../../src/people/operations.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { grantAgent } from "./people.ts"
import { legalDocument, send } from "./service.ts"

const day = 86_400_000
let people = 0

/** A person with every authority in a new organization. */
export const makeParty = Effect.fnUntraced(function* (name: string) {
  const { organizationId } = yield* createOrganization({ name: `${name} Ltd` })
  const { personId } = yield* createPerson({ name, issuer: "https://people.test", subject: `${name}-${people++}` })
  const validUntil = addMilliseconds(yield* now, 365 * day)
  const { membershipId } = yield* createMembership({ personId, organizationId, authorities, validUntil })
  return { name, organizationId, personId, membershipId }
})

export type Party = Effect.Success<ReturnType<typeof makeParty>>

export const buyerActions: ReadonlyArray<Action> = [
  "CREATE_PROJECT",
  "REVIEW_DELIVERY",
  "CONFIRM_COMPLETION",
  "ISSUE_RESULT_RECORD"
]
export const supplierActions: ReadonlyArray<Action> = ["RESPOND_TERMS", "SUBMIT_MATERIALS"]

/** A grant of the party's person with these actions; returns its token. */
export const makeAgent = (
  party: Party,
  role: "BUYER" | "SUPPLIER",
  actions: ReadonlyArray<Action>,
  projectIds: ReadonlyArray<string> = []
) =>
  grantAgent({
    personId: party.personId,
    organizationId: party.organizationId,
    role,
    actions,
    projectIds,
    agentName: `${party.name}'s agent`,
    subjectRequirements: []
  })

export const uuid = (): string => crypto.randomUUID()

/** The documents and the digest that a creation must contain. */
export const confirmAgreement = Effect.gen(function* () {
  const { body } = yield* send("POST", "/api/acceptance/confirmation-preview", {
    body: { legalContext: { documents: [legalDocument] }, operation: "AGREEMENT" }
  })
  return body.confirmation.digest as string
})

/** A creation input with one criterion; `changes` replaces members. */
export const creationInput = (
  supplier: { readonly personId: string },
  confirmationDigest: string,
  today: Instant,
  changes: object = {}
) => ({
  requestId: uuid(),
  title: "Logo",
  scope: "One logo.",
  buyerName: "Dana Ltd",
  supplierName: "Sam Studio",
  supplierActorId: supplier.personId,
  supplierReference: "Sam",
  criteria: [{ id: "vector", title: "Vector files", requirement: "An SVG." }],
  deadline: addMilliseconds(today, 7 * day),
  reviewDeadline: addMilliseconds(today, 14 * day),
  baselineStatement: "None yet.",
  materialPolicy: "FILE_DIGESTS",
  termsPolicy: { purpose: "Record", contractBasis: "THIS_AGREEMENT", sharing: "Both", sharingRecipients: [] },
  originals: { custodian: "Sam", location: "Folder", access: "Both" },
  subjectRequirements: [],
  legalContext: { documents: [legalDocument] },
  confirmationDigest,
  ...changes
})

const agents = "/api/agents/v1"

/** A new project of these parties, with a token for each side. */
export const startProject = Effect.fnUntraced(function* (options: { readonly changes?: object } = {}) {
  const buyer = yield* makeParty("Dana")
  const supplier = yield* makeParty("Sam")
  const buyerAgent = yield* makeAgent(buyer, "BUYER", buyerActions)
  const digest = yield* confirmAgreement
  const body = creationInput(supplier, digest, yield* now, options.changes)
  const created = yield* send("POST", `${agents}/projects`, { token: buyerAgent.token, body })
  if (created.status !== 201) throw new Error(`the project was not created: ${JSON.stringify(created.body)}`)
  const projectId = created.body.project.taskId as string
  const supplierAgent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
  yield* grantCredits({ organizationId: buyer.organizationId, credits: 10, reference: "test" })
  return { buyer, supplier, buyerAgent, supplierAgent, projectId, created: created.body }
})

export type StartedProject = Effect.Success<ReturnType<typeof startProject>>

export const readProject = (token: string, projectId: string) =>
  Effect.map(send("GET", `${agents}/projects/${projectId}`, { token }), ({ body }) => body)

export const sendCommand = (token: string, projectId: string, operation: string, body: unknown) =>
  send("POST", `${agents}/projects/${projectId}/${operation}`, { token, body })

const envelope = (view: any, input: object) => ({
  expectedEventHash: view.project.headEventHash,
  automationRevision: view.automation.revision,
  input: { requestId: uuid(), agreementDigest: view.project.agreement.digest, ...input }
})

export const respondTo = (view: any, { supplier }: Pick<StartedProject, "supplier">, changes: object = {}) =>
  envelope(view, {
    action: "ACCEPT",
    actorId: supplier.personId,
    actorRole: "SUPPLIER",
    authorityAttested: true,
    reason: "Agreed.",
    confirmationDigest: view.project.confirmations.respond?.digest,
    ...changes
  })

export const sha = "a".repeat(64)

export const submissionFor = (view: any, changes: object = {}) =>
  envelope(view, {
    previousSubmissionId: view.project.submission?.id ?? null,
    respondsToReviewId: view.project.review?.id ?? null,
    summary: "The logo.",
    items: [
      {
        criterionId: "vector",
        summary: "One SVG.",
        references: [],
        files: [{ name: "logo.svg", reference: "folder/logo.svg", size: 41, sha256: sha }]
      }
    ],
    ...changes
  })

export const reviewOf = (view: any, action: string, changes: object = {}) => {
  const decision = action === "ACCEPT" ? "MET" : action === "REQUEST_EVIDENCE" ? "EVIDENCE_NEEDED" : "NOT_MET"
  const acceptance = {
    checkedFiles: [{ criterionId: "vector", name: "logo.svg", sha256: sha }],
    confirmationDigest: view.project.confirmations.acceptance?.digest
  }
  return envelope(view, {
    submissionId: view.project.submission?.id,
    expectedEventHash: view.project.headEventHash,
    action,
    reason: "Looked at it.",
    nextAction: action === "ACCEPT" || action === "REJECT" ? "" : "Do more.",
    decisions: [{ criterionId: "vector", decision }],
    ...(action === "ACCEPT" ? acceptance : {}),
    ...changes
  })
}

/** Runs the project up to SUBMITTED and returns the buyer's view. */
export const runToSubmitted = Effect.fnUntraced(function* (started: StartedProject) {
  const { supplierAgent, buyerAgent, projectId } = started
  const first = yield* readProject(supplierAgent.token, projectId)
  const locked = yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(first, started))
  yield* sendCommand(supplierAgent.token, projectId, "submit", submissionFor(locked.body))
  return yield* readProject(buyerAgent.token, projectId)
})
