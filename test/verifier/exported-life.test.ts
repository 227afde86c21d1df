/** What the service exports in every later state verifies: the same rules, from the side that keeps them. */
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
  aboutConfirmation,
  accepted,
  act,
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
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"
import { made } from "../support/workspace.ts"

const pairWithCredits = Effect.gen(function* () {
  const pair: Pair = { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") }
  yield* grantCredits({ organizationId: pair.buyer.organizationId, credits: 3, reference: "test" })
  return pair
})

const does = Effect.fnUntraced(function* (
  by: SignedInPerson,
  projectId: string,
  operation: string,
  body: (view: any) => object
) {
  return made(yield* act(by, projectId, operation, body(yield* see(by, projectId))))
})

const issue = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string) {
  const { project } = yield* does(by, projectId, "issue-record", issuanceOf)
  assert.strictEqual(project.recordIssuance.status, "ISSUED")
  return projectId
})

const issuedTo = (pair: Pair) => Effect.flatMap(accepted(pair), (projectId) => issue(pair.buyer, projectId))

/** A grant of the buyer's that reads and exports. */
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
  const person = yield* signInAnew(name)
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: person.personId, organizationId, authorities, validUntil })
  return person
})

const nameAnother = (by: SignedInPerson, projectId: string, { personId }: SignedInPerson) =>
  does(by, projectId, "change-representative", (view) =>
    decided(view, { supplierActorId: personId, reason: "She goes on." })
  )

const resolve = (by: SignedInPerson, projectId: string, resolution: string) =>
  does(by, projectId, "resolve-concern", (view) => aboutConfirmation(view, { resolution }))

const revised = Effect.fnUntraced(function* ({ buyer, supplier }: Pair, projectId: string) {
  const terms = yield* termsOf(supplier, { title: "Logo, revised" })
  const view = yield* does(buyer, projectId, "revise", (old) => decided(old, { reason: "Other dates.", terms }))
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
  return made(yield* send("POST", `/api/agents/v1/projects/${projectId}/${operation}`, { token, body: envelope }))
})

layer(freshTestService, { excludeTestServices: true })("an exported result verifies", (it) => {
  it.effect("while it is contested, cleared, contested by an agent, and withdrawn at last", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const { buyer, supplier } = pair
      const projectId = yield* issuedTo(pair)
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "BUYER_CONFIRMED")
      yield* does(supplier, projectId, "concern", concernOf)
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "CONFIRMATION_CONTESTED")
      yield* resolve(supplier, projectId, "DISMISSED")
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "BUYER_CONFIRMED")
      yield* byAgent(supplier, "SUPPLIER", "RAISE_CONCERN", projectId, "concern", concernOf)
      yield* resolve(yield* colleagueOf(buyer, "Dan"), projectId, "UPHELD")
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "CONFIRMATION_WITHDRAWN")
    })
  )

  it.effect("after the buyer took its confirmation back", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const projectId = yield* issuedTo(pair)
      yield* does(pair.buyer, projectId, "withdraw-confirmation", (view) => aboutConfirmation(view, {}))
      assert.strictEqual((yield* exportOf(pair.buyer, projectId)).state, "CONFIRMATION_WITHDRAWN")
    })
  )

  it.effect("after a person accepted its successor", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const projectId = yield* issuedTo(pair)
      const next = yield* revised(pair, projectId)
      yield* does(pair.supplier, next, "respond", (view) => answerOf(view, pair.supplier))
      assert.strictEqual((yield* exportOf(pair.buyer, projectId)).state, "SUPERSEDED")
    })
  )

  it.effect("after an agent accepted its successor, under a grant that never reached it", () =>
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

  it.effect("after dates were asked for and holds lifted, by agents and by people", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const { buyer, supplier } = pair
      const projectId = yield* locked(pair)
      const asked = (view: any) => dateRevisionOf(view, "DELIVERY")
      const lifted = (view: any) => decided(view, { reason: "We agreed." })
      yield* byAgent(supplier, "SUPPLIER", "REQUEST_DATE_CHANGE", projectId, "date-revision", asked)
      yield* does(buyer, projectId, "lift-hold", lifted)
      yield* byAgent(supplier, "SUPPLIER", "SUBMIT_MATERIALS", projectId, "submit", (view) => submissionFor(view))
      yield* does(buyer, projectId, "date-revision", (view) => dateRevisionOf(view, "REVIEW"))
      yield* does(supplier, projectId, "lift-hold", lifted)
      yield* does(buyer, projectId, "review", (view) => decisionOf(view, "ACCEPT"))
      assert.strictEqual((yield* exportOf(buyer, yield* issue(buyer, projectId))).state, "BUYER_CONFIRMED")
    })
  )

  it.effect("under the representative of its issuance, whoever came before or after", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const { buyer, supplier } = pair
      const mia = yield* colleagueOf(supplier, "Mia")
      const eve = yield* colleagueOf(supplier, "Eve")
      const projectId = yield* delivered(pair)
      yield* does(buyer, projectId, "review", (view) => decisionOf(view, "REQUEST_CHANGES"))
      yield* nameAnother(mia, projectId, mia)
      yield* does(mia, projectId, "submit", materialsOf)
      yield* does(buyer, projectId, "review", (view) => decisionOf(view, "ACCEPT"))
      yield* issue(buyer, projectId)
      assert.strictEqual((yield* exportOf(buyer, projectId)).representative, mia.personId)
      yield* nameAnother(mia, projectId, eve)
      yield* does(eve, projectId, "concern", concernOf)
      const { state, representative } = yield* exportOf(buyer, projectId)
      assert.deepStrictEqual([state, representative], ["CONFIRMATION_CONTESTED", mia.personId])
    })
  )

  it.effect.each(["NATIVE", "EXTERNAL"] as const)("with its %s signatures", (method) =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const { buyer, supplier } = pair
      const signing = signingBy(buyer, supplier, method, yield* now)
      const projectId = yield* locked(pair, { signing })
      const signedAt = yield* now
      const evidence = { provider: "Sign & Co", reference: "S-1", fileName: "signed.pdf", sha256: sha, signedAt }
      const over = (digest: string) =>
        method === "NATIVE" ? { method: "NATIVE", digest } : { method: "EXTERNAL", evidence }
      const signed = (view: any) => decided(view, { signature: over(view.project.agreement.digest) })
      yield* does(buyer, projectId, "sign", signed)
      yield* does(supplier, projectId, "sign", signed)
      yield* does(supplier, projectId, "submit", materialsOf)
      yield* does(buyer, projectId, "review", (view) =>
        decisionOf(view, "ACCEPT", { signature: over(view.project.confirmations.acceptance.digest) })
      )
      yield* issue(buyer, projectId)
      yield* does(buyer, projectId, "concern", concernOf)
      assert.strictEqual((yield* exportOf(buyer, projectId)).state, "CONFIRMATION_CONTESTED")
    })
  )

  it.effect("of a revision whose supplier named another representative before answering", () =>
    Effect.gen(function* () {
      const pair = yield* pairWithCredits
      const old = yield* locked(pair)
      const next = yield* revised(pair, old)
      const lee = yield* colleagueOf(pair.supplier, "Lee")
      yield* nameAnother(pair.supplier, old, lee)
      yield* nameAnother(pair.supplier, next, lee)
      yield* does(lee, next, "respond", (view) => answerOf(view, lee))
      yield* does(lee, next, "submit", materialsOf)
      yield* does(pair.buyer, next, "review", (view) => decisionOf(view, "ACCEPT"))
      const { representative } = yield* exportOf(pair.buyer, yield* issue(pair.buyer, next))
      assert.strictEqual(representative, lee.personId)
      assert.strictEqual((yield* see(pair.buyer, old)).project.state, "SUPERSEDED")
    })
  )
})
