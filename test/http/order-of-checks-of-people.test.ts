/** The order of checks for a person's command with several faults: the same as for agents. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { noDigest } from "../support/refusal-precedence.ts"
import { sha, uuid } from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import {
  commandAsPerson,
  createAgreementAsPerson,
  answerOf,
  dateRevisionOf,
  personCommandBody,
  decisionOf,
  runToLocked,
  materialsOf,
  readProjectAsPerson,
  signatureBy,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { createdBody, options, outcome, workspace } from "../support/workspace.ts"

interface Request {
  readonly by: Pick<SignedInPerson, "token">
  readonly id: string
  readonly operation: string
  readonly body: any
  readonly padding: number
}

type Fault = readonly [status: number, code: string, apply: (request: Request) => Request]

const sendAs = ({ by, id, operation, body, padding }: Request) =>
  send(
    "POST",
    `${workspace}/projects/${id}/${operation}`,
    options(by, { raw: JSON.stringify(body) + " ".repeat(padding) })
  )

const withInput =
  (changes: object) =>
  (request: Request): Request => ({
    ...request,
    body: { ...request.body, input: { ...request.body.input, ...changes } }
  })

/** A fault of the current state. */
const faultOfState = (status: number, code: string): Fault => [status, code, (request) => request]

const staleHead: Fault = [
  409,
  "STALE_EVENT_HEAD",
  (request) => {
    const faulty = { ...request, body: { ...request.body, expectedEventHash: noDigest } }
    return "expectedEventHash" in request.body.input ? withInput({ expectedEventHash: noDigest })(faulty) : faulty
  }
]
const otherAgreement: Fault = [409, "AGREEMENT_DIGEST_MISMATCH", withInput({ agreementDigest: noDigest })]

/** Faults that are found before the project is read. */
const before: ReadonlyArray<Fault> = [
  [404, "NOT_FOUND", (request) => ({ ...request, operation: `${request.operation}-it` })],
  [413, "REQUEST_TOO_LARGE", (request) => ({ ...request, padding: 1_000_001 })],
  [401, "SIGN_IN_REQUIRED", (request) => ({ ...request, by: { token: "none" } })],
  [404, "NOT_FOUND", (request) => ({ ...request, id: "delivery_1" })],
  [400, "INVALID_REQUEST", (request) => ({ ...request, body: { ...request.body, automationRevision: 0 } })],
  [403, "FORBIDDEN", (request) => ({ ...request, id: `delivery_${uuid()}` })]
]

const assertCheckOrder = Effect.fnUntraced(function* (
  valid: Request,
  faults: ReadonlyArray<Fault>,
  behind: ReadonlyArray<Fault>
) {
  for (const [index, [status, code]] of faults.entries()) {
    const faulty = [...faults.slice(index), ...behind].reduceRight((request, [, , apply]) => apply(request), valid)
    assert.deepStrictEqual(outcome(yield* sendAs(faulty)), [status, code])
  }
})

/** The buyer's principal, a colleague without their authority, and the supplier, with a submission of a signed agreement. */
const signing = Effect.gen(function* () {
  const pair: Pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
  const { buyer, supplier } = pair
  const today = yield* now
  const lee = yield* signInNewPerson("Lee")
  yield* createMembership({
    personId: lee.personId,
    organizationId: buyer.organizationId,
    authorities: ["DELIVERY_REVIEW", "DELEGATE"],
    validUntil: addMilliseconds(today, 86_400_000)
  })
  const projectId = yield* runToLocked(pair, { signing: signatureBy(buyer, supplier, "NATIVE", today) })
  const used = uuid()
  for (const by of [buyer, supplier]) {
    const view = yield* readProjectAsPerson(by, projectId)
    const signature = { method: "NATIVE", digest: view.project.agreement.digest }
    createdBody(
      yield* commandAsPerson(
        by,
        projectId,
        "sign",
        personCommandBody(view, { requestId: by === buyer ? used : uuid(), signature })
      )
    )
  }
  createdBody(
    yield* commandAsPerson(supplier, projectId, "submit", materialsOf(yield* readProjectAsPerson(supplier, projectId)))
  )
  // A pause of either side does not stop a person.
  yield* pauseAs({ personId: supplier.personId, projectId, reason: "Stop." })
  const view = yield* readProjectAsPerson(buyer, projectId)
  const { digest } = view.project.confirmations.acceptance
  const body = decisionOf(view, "ACCEPT", { signature: { method: "NATIVE", digest } })
  const valid: Request = { by: buyer, id: projectId, operation: "review", body, padding: 0 }
  return { ...pair, lee, used, valid }
})

layer(freshTestService, { excludeTestServices: true })("order of checks for people", (it) => {
  it.effect("The checks of a signed acceptance run in order, from the route to the sign-in", () =>
    Effect.gen(function* () {
      const { lee, used, valid } = yield* signing
      const late = at(addMilliseconds(yield* now, 16 * 60_000))
      const faults: ReadonlyArray<Fault> = [
        ...before,
        [403, "FORBIDDEN", (request) => ({ ...request, by: lee })],
        [409, "REQUEST_ID_CONFLICT", withInput({ requestId: used })],
        faultOfState(401, "RECENT_SIGN_IN_REQUIRED")
      ]
      yield* late(assertCheckOrder(valid, faults, [staleHead, otherAgreement]))
    })
  )

  it.effect("The checks of a signed acceptance run in order, from the head to the confirmation", () =>
    Effect.gen(function* () {
      const { buyer, valid } = yield* signing
      const faults: ReadonlyArray<Fault> = [
        staleHead,
        otherAgreement,
        [409, "SUBMISSION_MISMATCH", withInput({ submissionId: `submission_${uuid()}` })],
        [409, "CRITERIA_INCOMPLETE", withInput({ decisions: [] })],
        [
          409,
          "CHECKED_FILES_MISMATCH",
          withInput({ checkedFiles: [{ criterionId: "vector", name: "other", sha256: sha }] })
        ],
        [409, "WAIT_FOR_HUMAN", withInput({ signature: undefined })],
        [409, "CONFIRMATION_DIGEST_STALE", withInput({ signature: { method: "NATIVE", digest: noDigest } })],
        [409, "CONFIRMATION_DIGEST_STALE", withInput({ confirmationDigest: noDigest })]
      ]
      yield* assertCheckOrder(valid, faults, [])
      // After another sign-in the same acceptance succeeds.
      const again = { ...valid, by: yield* signIn(buyer.identity, { isInvited: false }) }
      assert.deepStrictEqual(outcome(yield* sendAs(again)), [200])
    })
  )

  it.effect("A hold is checked after the state and before the submission", () =>
    Effect.gen(function* () {
      const pair: Pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
      const { buyer, supplier } = pair
      const id = yield* runToLocked(pair)
      createdBody(
        yield* commandAsPerson(
          buyer,
          id,
          "date-revision",
          dateRevisionOf(yield* readProjectAsPerson(buyer, id), "DELIVERY")
        )
      )
      const body = materialsOf(yield* readProjectAsPerson(supplier, id))
      const valid: Request = { by: supplier, id, operation: "submit", body, padding: 0 }
      const wrong: ReadonlyArray<Fault> = [
        [409, "SUBMISSION_MISMATCH", withInput({ previousSubmissionId: `submission_${uuid()}` })],
        [409, "CRITERIA_INCOMPLETE", withInput({ items: [] })]
      ]
      yield* assertCheckOrder(valid, [staleHead, otherAgreement, faultOfState(409, "DATE_REVISION_PENDING")], wrong)
      const lifted = yield* commandAsPerson(
        supplier,
        id,
        "lift-hold",
        personCommandBody(yield* readProjectAsPerson(supplier, id), { reason: "Go on." })
      )
      const head = { ...valid, body: { ...body, expectedEventHash: createdBody(lifted).project.headEventHash } }
      yield* assertCheckOrder(head, wrong, [])
      assert.deepStrictEqual(outcome(yield* sendAs(head)), [200])
    })
  )

  it.effect("An answer in another's name, or for another side, is 403 before the head is checked", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Dana")
      const supplier = yield* signInNewPerson("Sam")
      const id = yield* createAgreementAsPerson(buyer, supplier)
      const body = answerOf(yield* readProjectAsPerson(supplier, id), supplier)
      const valid: Request = { by: supplier, id, operation: "respond", body, padding: 0 }
      const forbidden = (apply: Fault[2]): Fault => [403, "FORBIDDEN", apply]
      yield* assertCheckOrder(
        valid,
        [...before, forbidden(withInput({ actorId: buyer.personId })), staleHead],
        [otherAgreement]
      )
      yield* assertCheckOrder(valid, [forbidden(withInput({ actorRole: "BUYER" }))], [staleHead, otherAgreement])
      yield* assertCheckOrder(valid, [forbidden((request) => ({ ...request, by: buyer }))], [staleHead, otherAgreement])
      assert.deepStrictEqual(outcome(yield* sendAs(valid)), [200])
    })
  )
})
