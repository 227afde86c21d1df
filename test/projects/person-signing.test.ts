/** Signatures of people: native, or recorded from another provider, with their deadlines. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { Sessions } from "../../src/people/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { makeAgent, readProject, reviewOf, sha, submissionFor, uuid } from "../support/parties.ts"
import {
  commandAsPerson,
  personCommandBody,
  decisionOf,
  runToLocked,
  materialsOf,
  readProjectAsPerson,
  signatureBy,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post } from "../support/workspace.ts"

const minute = 60_000

const signingPair = Effect.fnUntraced(function* (method: "NATIVE" | "EXTERNAL") {
  const pair: Pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
  const signing = signatureBy(pair.buyer, pair.supplier, method, yield* now)
  return { ...pair, signing, projectId: yield* runToLocked(pair, { signing }) }
})

const native = (digest: string) => ({ method: "NATIVE", digest })

const evidence = (signedAt: string) => ({
  method: "EXTERNAL",
  evidence: { provider: "Sign & Co", reference: "S-1", fileName: "signed.pdf", sha256: sha, signedAt }
})

const sign = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, signature?: object) {
  const view = yield* readProjectAsPerson(by, projectId)
  const input = { signature: signature ?? native(view.project.agreement.digest) }
  return yield* commandAsPerson(by, projectId, "sign", personCommandBody(view, input))
})

const submit = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string) {
  return yield* commandAsPerson(by, projectId, "submit", materialsOf(yield* readProjectAsPerson(by, projectId)))
})

/** Sets the person's last sign-in to that long ago. */
const signedInBefore = Effect.fnUntraced(function* ({ personId, sessionId }: SignedInPerson, milliseconds: number) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("person", personId)] }, (transaction) =>
    Effect.gen(function* () {
      const at = addMilliseconds(yield* transaction.now, -milliseconds)
      yield* transaction.update(Sessions, [sessionId], { authenticatedAt: at })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("native signatures", (it) => {
  it.effect("A submission before both signatures is refused with the required human action.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* signingPair("NATIVE")
      const { token } = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const send_ = (view: any) =>
        send("POST", `/api/agents/v1/projects/${projectId}/submit`, { token, body: submissionFor(view) })
      const first = yield* readProject(token, projectId)
      assert.deepStrictEqual(first.availableActions, [])
      assert.deepInclude(first.blockedActions[0], {
        action: "SUBMIT_MATERIALS",
        code: "WAIT_FOR_HUMAN",
        nextAction: "WAIT_FOR_HUMAN",
        requiredHumanAction: "SIGN_AGREEMENT"
      })
      const refused = yield* send_(first)
      assert.deepStrictEqual(outcome(refused), [409, "WAIT_FOR_HUMAN"])
      assert.strictEqual(refused.body.requiredHumanAction, "SIGN_AGREEMENT")
      assert.match(refused.body.humanUrl, new RegExp(`/workspace/projects/${projectId}$`))
      createdBody(yield* sign(buyer, projectId))
      assert.deepStrictEqual(outcome(yield* send_(yield* readProject(token, projectId))), [409, "WAIT_FOR_HUMAN"])
      createdBody(yield* sign(supplier, projectId))
      createdBody(yield* send_(yield* readProject(token, projectId)))
    })
  )

  it.effect("A native signature records the person, the digest and the statement.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* signingPair("NATIVE")
      const { project } = createdBody(yield* sign(buyer, projectId))
      assert.strictEqual(project.signatures.length, 1)
      assert.deepInclude(project.signatures[0], {
        subject: "AGREEMENT",
        party: "BUYER",
        method: "NATIVE",
        personId: buyer.personId,
        digest: project.agreement.digest
      })
      assert.match(project.events.at(-1).payload.signature.statement, /^I sign /)
    })
  )

  it.effect("A signature by another person, a second signature, and one over another digest are refused.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* signingPair("NATIVE")
      const mia = yield* signInNewPerson("Mia")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = buyer
      yield* createMembership({ personId: mia.personId, organizationId, authorities, validUntil })
      assert.deepStrictEqual(outcome(yield* sign(mia, projectId)), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* sign(supplier, projectId, native(sha))), [409, "CONFIRMATION_DIGEST_STALE"])
      assert.deepStrictEqual(outcome(yield* sign(supplier, projectId, evidence(yield* now))), [409, "STATE_CONFLICT"])
      createdBody(yield* sign(supplier, projectId))
      assert.deepStrictEqual(outcome(yield* sign(supplier, projectId)), [409, "STATE_CONFLICT"])
      createdBody(yield* sign(buyer, projectId))
    })
  )

  it.effect("A signature requires a sign-in within the last 15 minutes; its replay does not.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* signingPair("NATIVE")
      yield* signedInBefore(buyer, 15 * minute)
      assert.deepStrictEqual(outcome(yield* sign(buyer, projectId)), [401, "RECENT_SIGN_IN_REQUIRED"])
      yield* signedInBefore(buyer, 14 * minute)
      const view = yield* readProjectAsPerson(buyer, projectId)
      const body = personCommandBody(view, { signature: native(view.project.agreement.digest) })
      createdBody(yield* commandAsPerson(buyer, projectId, "sign", body))
      yield* signedInBefore(buyer, 60 * minute)
      assert.isTrue(createdBody(yield* commandAsPerson(buyer, projectId, "sign", body)).replayed)
    })
  )

  it.effect("A delivery under native signatures can be accepted only by the principal, with a signature.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* signingPair("NATIVE")
      createdBody(yield* sign(buyer, projectId))
      createdBody(yield* sign(supplier, projectId))
      createdBody(yield* submit(supplier, projectId))
      const agent = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"], [projectId])
      const seen = yield* readProject(agent.token, projectId)
      assert.deepStrictEqual(seen.availableActions, ["REVIEW_DELIVERY"])
      const byAgent = yield* send("POST", `/api/agents/v1/projects/${projectId}/review`, {
        token: agent.token,
        body: reviewOf(seen, "ACCEPT")
      })
      assert.deepStrictEqual(outcome(byAgent), [409, "WAIT_FOR_HUMAN"])
      assert.strictEqual(byAgent.body.requiredHumanAction, "SIGN_ACCEPTANCE")
      const view = yield* readProjectAsPerson(buyer, projectId)
      assert.deepStrictEqual(outcome(yield* commandAsPerson(buyer, projectId, "review", decisionOf(view, "ACCEPT"))), [
        409,
        "WAIT_FOR_HUMAN"
      ])
      const signature = native(view.project.confirmations.acceptance.digest)
      const { project } = createdBody(
        yield* commandAsPerson(buyer, projectId, "review", decisionOf(view, "ACCEPT", { signature }))
      )
      assert.deepInclude(project.signatures.at(-1), { subject: "ACCEPTANCE", party: "BUYER", method: "NATIVE" })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("external signatures", (it) => {
  it.effect("An external signature is labelled as not verified.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* signingPair("EXTERNAL")
      const signedAt = yield* now
      createdBody(yield* sign(buyer, projectId, evidence(signedAt)))
      const { project } = createdBody(yield* sign(supplier, projectId, evidence(signedAt)))
      assert.strictEqual(project.signatures[1].label, "RECORDED_NOT_VERIFIED")
      createdBody(yield* submit(supplier, projectId))
      const view = yield* readProjectAsPerson(buyer, projectId)
      const signature = evidence(signedAt)
      createdBody(yield* commandAsPerson(buyer, projectId, "review", decisionOf(view, "ACCEPT", { signature })))
    })
  )

  it.effect("An external signature dated in the future, or by the native method, is refused.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* signingPair("EXTERNAL")
      const tomorrow = addMilliseconds(yield* now, 86_400_000)
      assert.deepStrictEqual(outcome(yield* sign(buyer, projectId, evidence(tomorrow))), [400, "INVALID_REQUEST"])
      assert.deepStrictEqual(outcome(yield* sign(buyer, projectId)), [409, "STATE_CONFLICT"])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("creation of an agreement with signatures", (it) => {
  const created = Effect.fnUntraced(function* (changes: (pair: Pair, today: any) => object) {
    const pair: Pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
    const today = yield* now
    const signing = { ...signatureBy(pair.buyer, pair.supplier, "NATIVE", today), ...changes(pair, today) }
    const terms = yield* termsOf(pair.supplier, { signing })
    const body = { requestId: uuid(), organizationId: pair.buyer.organizationId, ...terms }
    return outcome(yield* post(pair.buyer, "/projects", body))
  })
  const day = 86_400_000

  it.effect.each([
    ["another organization's principal", () => ({ principal: `person_${uuid()}` }), [409, "UNKNOWN_SIGNER"]],
    ["an unknown counterparty", () => ({ counterparty: `person_${uuid()}` }), [409, "UNKNOWN_SIGNER"]],
    ["one signer for both", ({ buyer }: Pair) => ({ counterparty: buyer.personId }), [409, "SAME_PARTY"]],
    ["the supplier as principal", ({ supplier }: Pair) => ({ principal: supplier.personId }), [409, "SAME_PARTY"]],
    [
      "a date to sign that has passed",
      (_: Pair, today: any) => ({ agreementSignBy: today }),
      [409, "DEADLINE_NOT_FUTURE"]
    ],
    [
      "a date after the deadline",
      (_: Pair, today: any) => ({ agreementSignBy: addMilliseconds(today, 8 * day) }),
      [400, "INVALID_REQUEST"]
    ],
    [
      "an acceptance signed first",
      (_: Pair, today: any) => ({ acceptanceSignBy: addMilliseconds(today, day) }),
      [400, "INVALID_REQUEST"]
    ],
    ["everything in order", () => ({}), [201]]
  ] as const)("The creation of an agreement with %s has the documented outcome.", ([, changes, expected]) =>
    Effect.map(created(changes), (given) => assert.deepStrictEqual(given, [...expected]))
  )
})
