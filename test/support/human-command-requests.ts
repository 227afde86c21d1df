/** One valid request of every command of people on an agreement, each on a project of its own. */
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { uuid } from "./parties.ts"
import {
  aboutConfirmation,
  accepted,
  act,
  agreeing,
  answerOf,
  concernOf,
  dateRevisionOf,
  decided,
  decisionOf,
  delivered,
  issuanceOf,
  locked,
  materialsOf,
  see,
  signingBy,
  termsOf
} from "./person-commands.ts"
import { signInAnew, type SignedInPerson } from "./sessions.ts"
import { made } from "./workspace.ts"

export const commandRequests = Effect.fnUntraced(function* (buyer: SignedInPerson, supplier: SignedInPerson) {
  const pair = { buyer, supplier }
  const today = yield* now
  const mia = yield* signInAnew("Mia")
  const validUntil = addMilliseconds(today, 86_400_000)
  const { organizationId } = supplier
  yield* createMembership({ personId: mia.personId, organizationId, authorities, validUntil })
  const on = (by: SignedInPerson, project: ReturnType<typeof locked>, body: (view: any) => object) =>
    Effect.gen(function* () {
      const id = yield* project
      return { ids: { id }, body: body(yield* see(by, id)) }
    })
  const held = Effect.gen(function* () {
    const id = yield* locked(pair)
    made(yield* act(buyer, id, "date-revision", dateRevisionOf(yield* see(buyer, id), "DELIVERY")))
    return id
  })
  const contested = Effect.gen(function* () {
    const id = yield* accepted(pair)
    made(yield* act(buyer, id, "concern", concernOf(yield* see(buyer, id))))
    return id
  })
  const signing = { signing: signingBy(buyer, supplier, "NATIVE", today) }
  const sign = (view: any) => decided(view, { signature: { method: "NATIVE", digest: view.project.agreement.digest } })
  const terms = yield* termsOf(supplier)
  const created = { requestId: uuid(), organizationId: buyer.organizationId, ...terms }
  const revised = (view: any) => decided(view, { reason: "Other dates.", terms })
  const renamed = (view: any) => decided(view, { reason: "Mia takes over.", supplierActorId: mia.personId })
  const reasoned = (view: any) => decided(view, { reason: "Work continues." })
  const resolved = (view: any) => aboutConfirmation(view, { resolution: "DISMISSED" })
  return [
    ["createOwnProject", buyer, { body: created, status: 201 }],
    ["reviseProject", buyer, { ...(yield* on(buyer, locked(pair), revised)), status: 201 }],
    ["respondAsPerson", supplier, yield* on(supplier, agreeing(buyer, supplier), (view) => answerOf(view, supplier))],
    ["signAgreement", buyer, yield* on(buyer, locked(pair, signing), sign)],
    ["submitAsPerson", supplier, yield* on(supplier, locked(pair), materialsOf)],
    ["reviewAsPerson", buyer, yield* on(buyer, delivered(pair), (view) => decisionOf(view, "ACCEPT"))],
    ["requestDateChange", buyer, yield* on(buyer, locked(pair), (view) => dateRevisionOf(view, "DELIVERY"))],
    ["liftHold", supplier, yield* on(supplier, held, reasoned)],
    ["raiseConcern", supplier, yield* on(supplier, accepted(pair), concernOf)],
    ["resolveConcern", buyer, yield* on(buyer, contested, resolved)],
    ["withdrawConfirmation", buyer, yield* on(buyer, accepted(pair), (view) => aboutConfirmation(view, {}))],
    ["issueRecordAsPerson", buyer, yield* on(buyer, accepted(pair), issuanceOf)],
    ["changeRepresentative", supplier, yield* on(supplier, locked(pair), renamed)]
  ] as const
})
