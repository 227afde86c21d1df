/** Agreements that two people carry out themselves, by the operations of the workspace. */
import { Effect } from "effect"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { confirmAgreement, creationInput, respondTo, reviewOf, submissionFor, uuid } from "./parties.ts"
import type { SignedInPerson } from "./sessions.ts"
import { createdBody, post, read } from "./workspace.ts"

const day = 86_400_000

/** A command of a person on a project. */
export const commandAsPerson = (by: SignedInPerson, projectId: string, operation: string, body: object) =>
  post(by, `/projects/${projectId}/${operation}`, body)

export const readProjectAsPerson = (by: SignedInPerson, projectId: string) =>
  Effect.map(read(by, `/projects/${projectId}`), (answer) => createdBody(answer))

/** The body of a command of a person: the view it is based on, and the decision. */
export const personCommandBody = (view: any, input: object) => ({
  expectedEventHash: view.project.headEventHash,
  input: {
    requestId: uuid(),
    agreementDigest: view.project.agreement.digest,
    ...input
  }
})

/** Without the automation revision, which people do not send. */
const ofPerson = ({ expectedEventHash, input }: ReturnType<typeof respondTo>) => ({ expectedEventHash, input })

export const answerOf = (view: any, supplier: SignedInPerson, changes: object = {}) =>
  ofPerson(respondTo(view, { supplier: { ...supplier, name: supplier.name } }, changes))

export const materialsOf = (view: any, changes: object = {}) => ofPerson(submissionFor(view, changes))

export const decisionOf = (view: any, action: string, changes: object = {}) => ofPerson(reviewOf(view, action, changes))

export const signatureBy = (
  buyer: SignedInPerson,
  supplier: SignedInPerson,
  method: "NATIVE" | "EXTERNAL",
  today: any
) => ({
  enabled: true,
  method,
  principal: buyer.personId,
  counterparty: supplier.personId,
  agreementSignBy: addMilliseconds(today, 6 * day),
  acceptanceSignBy: addMilliseconds(today, 14 * day)
})

/** The terms of an agreement of the two; `changes` replaces members. */
export const termsOf = Effect.fnUntraced(function* (supplier: SignedInPerson, changes: object = {}) {
  const { requestId: _, ...terms } = creationInput(supplier, yield* confirmAgreement, yield* now, changes)
  return terms
})

/** A new agreement that the buyer creates as a person. */
export const createAgreementAsPerson = Effect.fnUntraced(function* (
  buyer: SignedInPerson,
  supplier: SignedInPerson,
  changes: object = {}
) {
  const terms = yield* termsOf(supplier, changes)
  const body = { requestId: uuid(), organizationId: buyer.organizationId, ...terms }
  const view = createdBody(yield* post(buyer, "/projects", body))
  return view.project.taskId as string
})

export interface Pair {
  readonly buyer: SignedInPerson
  readonly supplier: SignedInPerson
}

export const runToLocked = Effect.fnUntraced(function* ({ buyer, supplier }: Pair, changes: object = {}) {
  const projectId = yield* createAgreementAsPerson(buyer, supplier, changes)
  createdBody(
    yield* commandAsPerson(
      supplier,
      projectId,
      "respond",
      answerOf(yield* readProjectAsPerson(supplier, projectId), supplier)
    )
  )
  return projectId
})

export const runToDelivered = Effect.fnUntraced(function* (pair: Pair, changes: object = {}) {
  const projectId = yield* runToLocked(pair, changes)
  createdBody(
    yield* commandAsPerson(
      pair.supplier,
      projectId,
      "submit",
      materialsOf(yield* readProjectAsPerson(pair.supplier, projectId))
    )
  )
  return projectId
})

export const runToAccepted = Effect.fnUntraced(function* (pair: Pair, changes: object = {}) {
  const projectId = yield* runToDelivered(pair, changes)
  createdBody(
    yield* commandAsPerson(
      pair.buyer,
      projectId,
      "review",
      decisionOf(yield* readProjectAsPerson(pair.buyer, projectId), "ACCEPT")
    )
  )
  return projectId
})

/** The body that contests, resolves or withdraws the current confirmation. */
export const confirmationCommandBody = (view: any, input: object) =>
  personCommandBody(view, { confirmationId: view.project.confirmation.id, reason: "Looked at it again.", ...input })

export const concernOf = (view: any, input: object = {}) =>
  confirmationCommandBody(view, { expectedEventHash: view.project.headEventHash, kind: "MATERIALS", ...input })

export const dateRevisionOf = (view: any, purpose: "DELIVERY" | "REVIEW") =>
  personCommandBody(view, { expectedEventHash: view.project.headEventHash, purpose, reason: "More time is needed." })

export const issuanceOf = (view: any) =>
  confirmationCommandBody(view, {
    expectedEventHash: view.project.headEventHash,
    confirmationDigest: view.project.confirmations.issuance?.digest,
    maxCredits: 1
  })
