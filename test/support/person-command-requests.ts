/** One valid request of every command of people on an agreement, each on a project of its own. */
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { uuid } from "./parties.ts"
import {
  confirmationCommandBody,
  runToAccepted,
  commandAsPerson,
  createAgreementAsPerson,
  answerOf,
  concernOf,
  dateRevisionOf,
  personCommandBody,
  decisionOf,
  runToDelivered,
  issuanceOf,
  runToLocked,
  materialsOf,
  readProjectAsPerson,
  signatureBy,
  termsOf
} from "./person-commands.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { createdBody } from "./workspace.ts"

export const commandRequests = Effect.fnUntraced(function* (buyer: SignedInPerson, supplier: SignedInPerson) {
  const pair = { buyer, supplier }
  const today = yield* now
  const mia = yield* signInNewPerson("Mia")
  const validUntil = addMilliseconds(today, 86_400_000)
  const { organizationId } = supplier
  yield* createMembership({ personId: mia.personId, organizationId, authorities, validUntil })
  const on = (by: SignedInPerson, project: ReturnType<typeof runToLocked>, body: (view: any) => object) =>
    Effect.gen(function* () {
      const id = yield* project
      return { ids: { id }, body: body(yield* readProjectAsPerson(by, id)) }
    })
  const held = Effect.gen(function* () {
    const id = yield* runToLocked(pair)
    createdBody(
      yield* commandAsPerson(
        buyer,
        id,
        "date-revision",
        dateRevisionOf(yield* readProjectAsPerson(buyer, id), "DELIVERY")
      )
    )
    return id
  })
  const contested = Effect.gen(function* () {
    const id = yield* runToAccepted(pair)
    createdBody(yield* commandAsPerson(buyer, id, "concern", concernOf(yield* readProjectAsPerson(buyer, id))))
    return id
  })
  const signing = { signing: signatureBy(buyer, supplier, "NATIVE", today) }
  const sign = (view: any) =>
    personCommandBody(view, { signature: { method: "NATIVE", digest: view.project.agreement.digest } })
  const terms = yield* termsOf(supplier)
  const created = { requestId: uuid(), organizationId: buyer.organizationId, ...terms }
  const revised = (view: any) => personCommandBody(view, { reason: "Other dates.", terms })
  const renamed = (view: any) => personCommandBody(view, { reason: "Mia takes over.", supplierActorId: mia.personId })
  const reasoned = (view: any) => personCommandBody(view, { reason: "Work continues." })
  const resolved = (view: any) => confirmationCommandBody(view, { resolution: "DISMISSED" })
  return [
    ["createOwnProject", buyer, { body: created, status: 201 }],
    ["reviseProject", buyer, { ...(yield* on(buyer, runToLocked(pair), revised)), status: 201 }],
    [
      "respondAsPerson",
      supplier,
      yield* on(supplier, createAgreementAsPerson(buyer, supplier), (view) => answerOf(view, supplier))
    ],
    ["signAgreement", buyer, yield* on(buyer, runToLocked(pair, signing), sign)],
    ["submitAsPerson", supplier, yield* on(supplier, runToLocked(pair), materialsOf)],
    ["reviewAsPerson", buyer, yield* on(buyer, runToDelivered(pair), (view) => decisionOf(view, "ACCEPT"))],
    ["requestDateChange", buyer, yield* on(buyer, runToLocked(pair), (view) => dateRevisionOf(view, "DELIVERY"))],
    ["liftHold", supplier, yield* on(supplier, held, reasoned)],
    ["raiseConcern", supplier, yield* on(supplier, runToAccepted(pair), concernOf)],
    ["resolveConcern", buyer, yield* on(buyer, contested, resolved)],
    ["withdrawConfirmation", buyer, yield* on(buyer, runToAccepted(pair), (view) => confirmationCommandBody(view, {}))],
    ["issueRecordAsPerson", buyer, yield* on(buyer, runToAccepted(pair), issuanceOf)],
    ["changeRepresentative", supplier, yield* on(supplier, runToLocked(pair), renamed)]
  ] as const
})
