/** The service's exports verify in every state after the issuance. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Action } from "../../src/access/actions.ts"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { Signer } from "../../src/ports/signer.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { makeAgent, readProject, sha, submissionFor, uuid } from "../support/parties.ts"
import {
  confirmationCommandBody,
  runToAccepted,
  commandAsPerson,
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
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const pairWithCredits = Effect.gen(function* () {
  const pair: Pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
  yield* grantCredits({ organizationId: pair.buyer.organizationId, credits: 3, reference: "test" })
  return pair
})

const runCommand = Effect.fnUntraced(function* (
  by: SignedInPerson,
  projectId: string,
  operation: string,
  body: (view: any) => object
) {
  return createdBody(yield* commandAsPerson(by, projectId, operation, body(yield* readProjectAsPerson(by, projectId))))
})

const issue = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string) {
  const { project } = yield* runCommand(by, projectId, "issue-record", issuanceOf)
  assert.strictEqual(project.recordIssuance.status, "ISSUED")
  return projectId
})

const issuedTo = (pair: Pair) => Effect.flatMap(runToAccepted(pair), (projectId) => issue(pair.buyer, projectId))

/** Exports the result with an agent of the buyer, and verifies it. */
const exportOf = Effect.fnUntraced(function* (buyer: SignedInPerson, projectId: string) {
  const { token } = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
  const { project } = yield* readProject(token, projectId)
  const exported = yield* send("POST", `/api/agents/v1/projects/${projectId}/exports/result-package`, {
    token,
    body: {
      expectedAgreementDigest: project.agreement.digest,
      expectedEventHash: project.headEventHash,
      nonce: uuid()
    }
  })
  assert.strictEqual(exported.status, 200)
  const { keys } = yield* Signer
  const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const report = verifyResultFiles({
    artifact: bytesOf(exported.body),
    trust: bytesOf(keys),
    checkedAt: addMilliseconds(yield* now, 1000)
  })
  assert.deepStrictEqual(
    report.checks.filter(({ outcome }) => outcome === "fail"),
    []
  )
  assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
  assert.strictEqual(report.currentStatus.outcome, "PROVEN")
  return { state: report.currentStatus.state, representative: report.record?.parties.supplier.actorId, report }
})

const colleagueOf = Effect.fnUntraced(function* ({ organizationId }: SignedInPerson, name: string) {
  const person = yield* signInNewPerson(name)
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: person.personId, organizationId, authorities, validUntil })
  return person
})

const nameAnother = (by: SignedInPerson, projectId: string, { personId }: SignedInPerson) =>
  runCommand(by, projectId, "change-representative", (view) =>
    personCommandBody(view, { supplierActorId: personId, reason: "She continues." })
  )

const resolve = (by: SignedInPerson, projectId: string, resolution: string) =>
  runCommand(by, projectId, "resolve-concern", (view) => confirmationCommandBody(view, { resolution }))

const revised = Effect.fnUntraced(function* ({ buyer, supplier }: Pair, projectId: string) {
  const terms = yield* termsOf(supplier, { title: "Logo, revised" })
  const view = yield* runCommand(buyer, projectId, "revise", (old) =>
    personCommandBody(old, { reason: "Other dates.", terms })
  )
  return view.project.taskId as string
})

const byAgent = Effect.fnUntraced(function* (
  by: SignedInPerson,
  role: "BUYER" | "SUPPLIER",
  action: Action,
  projectId: string,
  operation: string,
  body: (view: any) => { readonly expectedEventHash: string; readonly input: object }
) {
  const { token } = yield* makeAgent(by, role, [action], [projectId])
  const view = yield* readProject(token, projectId)
  const { expectedEventHash, input } = body(view)
  const envelope = { expectedEventHash, automationRevision: view.automation.revision, input }
  return createdBody(
    yield* send("POST", `/api/agents/v1/projects/${projectId}/${operation}`, { token, body: envelope })
  )
})

layer(freshTestService, { excludeTestServices: true })("exported results", (it) => {
  it.effect("an exported result verifies while contested, cleared, contested by an agent, and withdrawn", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const { buyer, supplier } = pair
      const projectId = yield* issuedTo(pair)
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "BUYER_CONFIRMED")
      yield* runCommand(supplier, projectId, "concern", concernOf)
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "CONFIRMATION_CONTESTED")
      yield* resolve(supplier, projectId, "DISMISSED")
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "BUYER_CONFIRMED")
      yield* byAgent(supplier, "SUPPLIER", "RAISE_CONCERN", projectId, "concern", concernOf)
      yield* resolve(yield* colleagueOf(buyer, "Dan"), projectId, "UPHELD")
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "CONFIRMATION_WITHDRAWN")
    })
  )

  it.effect("an exported result verifies after the buyer withdrew its confirmation", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const projectId = yield* issuedTo(pair)
      yield* runCommand(pair.buyer, projectId, "withdraw-confirmation", (view) => confirmationCommandBody(view, {}))
      assert.strictEqual((yield* exportOf(pair.buyer, projectId)).state, "CONFIRMATION_WITHDRAWN")
    })
  )

  it.effect("an exported result verifies after a person accepted its successor", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const projectId = yield* issuedTo(pair)
      const next = yield* revised(pair, projectId)
      yield* runCommand(pair.supplier, next, "respond", (view) => answerOf(view, pair.supplier))
      assert.strictEqual((yield* exportOf(pair.buyer, projectId)).state, "SUPERSEDED")
    })
  )

  it.effect(
    "an exported result verifies after an agent accepted its successor under a grant that did not reach the project",
    () =>
      Effect.gen(function* () {
        const pair = yield* pairWithCredits
        const projectId = yield* issuedTo(pair)
        const next = yield* revised(pair, projectId)
        const answer = (view: any) => answerOf(view, pair.supplier)
        yield* byAgent(pair.supplier, "SUPPLIER", "RESPOND_TERMS", next, "respond", answer)
        const { state, report } = yield* exportOf(pair.buyer, projectId)
        assert.strictEqual(state, "SUPERSEDED")
        assert.strictEqual(report.recordedAuthority.grants.length, 1)
      })
  )

  it.effect("an exported result verifies after agents and people set and lifted holds", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const { buyer, supplier } = pair
      const projectId = yield* runToLocked(pair)
      const deliveryHold = (view: any) => dateRevisionOf(view, "DELIVERY")
      const liftHold = (view: any) => personCommandBody(view, { reason: "We agreed." })
      yield* byAgent(supplier, "SUPPLIER", "REQUEST_DATE_CHANGE", projectId, "date-revision", deliveryHold)
      yield* runCommand(buyer, projectId, "lift-hold", liftHold)
      yield* byAgent(supplier, "SUPPLIER", "SUBMIT_MATERIALS", projectId, "submit", (view) => submissionFor(view))
      yield* runCommand(buyer, projectId, "date-revision", (view) => dateRevisionOf(view, "REVIEW"))
      yield* runCommand(supplier, projectId, "lift-hold", liftHold)
      yield* runCommand(buyer, projectId, "review", (view) => decisionOf(view, "ACCEPT"))
      assert.strictEqual((yield* exportOf(buyer, yield* issue(buyer, projectId))).state, "BUYER_CONFIRMED")
    })
  )

  it.effect(
    "an exported result names the representative at its issuance, before and after a change of representative",
    () =>
      Effect.gen(function* () {
        const pair = yield* pairWithCredits
        const { buyer, supplier } = pair
        const mia = yield* colleagueOf(supplier, "Mia")
        const eve = yield* colleagueOf(supplier, "Eve")
        const projectId = yield* runToDelivered(pair)
        yield* runCommand(buyer, projectId, "review", (view) => decisionOf(view, "REQUEST_CHANGES"))
        yield* nameAnother(mia, projectId, mia)
        yield* runCommand(mia, projectId, "submit", materialsOf)
        yield* runCommand(buyer, projectId, "review", (view) => decisionOf(view, "ACCEPT"))
        yield* issue(buyer, projectId)
        assert.strictEqual((yield* exportOf(buyer, projectId)).representative, mia.personId)
        yield* nameAnother(mia, projectId, eve)
        yield* runCommand(eve, projectId, "concern", concernOf)
        const { state, representative } = yield* exportOf(buyer, projectId)
        assert.deepStrictEqual([state, representative], ["CONFIRMATION_CONTESTED", mia.personId])
      })
  )

  it.effect.each(["NATIVE", "EXTERNAL"] as const)("an exported result with %s signatures verifies", (method) =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const { buyer, supplier } = pair
      const signing = signatureBy(buyer, supplier, method, yield* now)
      const projectId = yield* runToLocked(pair, { signing })
      const signedAt = yield* now
      const evidence = { provider: "Sign & Co", reference: "S-1", fileName: "signed.pdf", sha256: sha, signedAt }
      const over = (digest: string) =>
        method === "NATIVE" ? { method: "NATIVE", digest } : { method: "EXTERNAL", evidence }
      const signed = (view: any) => personCommandBody(view, { signature: over(view.project.agreement.digest) })
      yield* runCommand(buyer, projectId, "sign", signed)
      yield* runCommand(supplier, projectId, "sign", signed)
      yield* runCommand(supplier, projectId, "submit", materialsOf)
      yield* runCommand(buyer, projectId, "review", (view) =>
        decisionOf(view, "ACCEPT", { signature: over(view.project.confirmations.acceptance.digest) })
      )
      yield* issue(buyer, projectId)
      yield* runCommand(buyer, projectId, "concern", concernOf)
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "CONFIRMATION_CONTESTED")
    })
  )

  it.effect("the result of a revision verifies if the supplier changed its representative before responding", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const old = yield* runToLocked(pair)
      const next = yield* revised(pair, old)
      const lee = yield* colleagueOf(pair.supplier, "Lee")
      yield* nameAnother(pair.supplier, old, lee)
      yield* nameAnother(pair.supplier, next, lee)
      yield* runCommand(lee, next, "respond", (view) => answerOf(view, lee))
      yield* runCommand(lee, next, "submit", materialsOf)
      yield* runCommand(pair.buyer, next, "review", (view) => decisionOf(view, "ACCEPT"))
      const { representative } = yield* exportOf(pair.buyer, yield* issue(pair.buyer, next))
      assert.strictEqual(representative, lee.personId)
      assert.strictEqual((yield* readProjectAsPerson(pair.buyer, old)).project.state, "SUPERSEDED")
    })
  )
})
