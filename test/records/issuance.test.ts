import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { issueDueRecords } from "../../src/records/issuance.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { grantAgent } from "../support/people.ts"
import { buyerActions, sendCommand, reviewOf, uuid } from "../support/parties.ts"
import { send } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"
import {
  accept,
  agentFor,
  requestIssuanceAgain,
  makeDelivery,
  grantTestCredits,
  readIssuanceState,
  makeBuyer,
  readStoredCredits,
  recordService,
  readAsBuyer,
  SignerFaults,
  makePendingIssuance,
  whenDueAgain
} from "./record-service.ts"

const kinds = (view: any): ReadonlyArray<string> => view.project.events.map(({ kind }: { kind: string }) => kind)

layer(recordService, { excludeTestServices: true })("the issuance of a record", (it) => {
  it.effect("An acceptance under a grant with both actions issues the record immediately.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      yield* grantTestCredits(buyer, 2)
      const project = yield* makeDelivery(buyer)
      const view = yield* accept(project, buyer.agent.token)
      assert.deepInclude(view.project.recordIssuance, { status: "ISSUED", continuation: null })
      const issue = view.project.events.at(-1)
      assert.strictEqual(issue.kind, "ISSUE")
      assert.strictEqual(issue.actor.execution.grantId, buyer.agent.grantId)
      const { balance, entries } = yield* readStoredCredits(buyer)
      assert.strictEqual(balance, 1)
      const debit = {
        change: -1,
        balance: 1,
        reference: project.projectId,
        confirmationId: view.project.confirmation.id
      }
      assert.deepInclude(entries.at(-1), debit)
    })
  )

  it.effect("An acceptance under a grant that may only accept issues nothing and consumes no credit.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      yield* grantTestCredits(buyer, 1)
      const project = yield* makeDelivery(buyer)
      const acceptor = yield* agentFor(project, ["CONFIRM_COMPLETION"])
      const view = yield* accept(project, acceptor.token)
      assert.strictEqual(view.project.state, "BUYER_CONFIRMED")
      yield* whenDueAgain(issueDueRecords())
      assert.deepStrictEqual(yield* readIssuanceState(buyer, project.projectId), ["NOT_REQUESTED", null, false])
      assert.strictEqual((yield* readStoredCredits(buyer)).balance, 1)
      assert.deepStrictEqual(outcome(yield* requestIssuanceAgain(project, acceptor.token)), [
        403,
        "FORBIDDEN_AGENT_ACTION"
      ])
      assert.strictEqual(
        (yield* requestIssuanceAgain(project, buyer.agent.token)).body.project.recordIssuance.status,
        "ISSUED"
      )
    })
  )

  it.effect("An acceptance issues nothing if issuing is reserved for people.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      yield* grantTestCredits(buyer, 1)
      const { personId, organizationId } = buyer
      const subjectRequirements = [
        { id: "archive", statement: "A person archives.", humanDecisions: ["ISSUE" as const] }
      ]
      const grant = { personId, organizationId, role: "BUYER" as const, actions: buyerActions, projectIds: [] }
      const agent = yield* grantAgent({ ...grant, agentName: "Scout", subjectRequirements })
      const project = yield* makeDelivery({ ...buyer, agent }, { subjectRequirements })
      const view = yield* accept(project, agent.token)
      assert.strictEqual(view.project.recordIssuance.status, "NOT_REQUESTED")
      assert.deepStrictEqual(outcome(yield* requestIssuanceAgain(project, agent.token)), [
        409,
        "HUMAN_DECISION_REQUIRED"
      ])
      assert.strictEqual((yield* readStoredCredits(buyer)).balance, 1)
    })
  )

  it.effect("An issuance waits for a credit and completes in the worker's first pass after one is granted.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const { projectId } = yield* makePendingIssuance(buyer)
      yield* whenDueAgain(issueDueRecords())
      assert.deepStrictEqual(yield* readIssuanceState(buyer, projectId), ["PENDING", "WAITING_COVERAGE", false])
      assert.lengthOf((yield* readStoredCredits(buyer)).entries, 0)
      yield* grantTestCredits(buyer, 1)
      yield* whenDueAgain(whenDueAgain(issueDueRecords()))
      assert.deepStrictEqual(yield* readIssuanceState(buyer, projectId), ["ISSUED", null, true])
      const view = yield* readAsBuyer(buyer, projectId)
      assert.deepStrictEqual(kinds(view), ["CREATE", "RESPOND", "SUBMIT", "REVIEW", "ISSUE"])
      const { balance, entries } = yield* readStoredCredits(buyer)
      assert.deepStrictEqual([balance, entries.map(({ change }) => change)], [0, [1, -1]])
    })
  )

  it.effect("A worker's pass processes more due requests than one batch.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const count = limits.issuanceBatch + 1
      const projects = yield* Effect.forEach(Array.from({ length: count }), () => makePendingIssuance(buyer), {
        concurrency: 4
      })
      yield* grantTestCredits(buyer, count)
      yield* whenDueAgain(issueDueRecords())
      const found = yield* Effect.forEach(projects, ({ projectId }) => readIssuanceState(buyer, projectId))
      assert.deepStrictEqual([...new Set(found.map(String))], ["ISSUED,,true"])
    })
  )

  it.effect("A second issuance request is refused while the first is pending and after it is issued.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const project = yield* makePendingIssuance(buyer)
      const { confirmations } = (yield* readAsBuyer(buyer, project.projectId)).project
      assert.deepStrictEqual(outcome(yield* requestIssuanceAgain(project, buyer.agent.token)), [409, "STATE_CONFLICT"])
      yield* grantTestCredits(buyer, 2)
      yield* whenDueAgain(issueDueRecords())
      assert.deepStrictEqual(yield* readIssuanceState(buyer, project.projectId), ["ISSUED", null, true])
      const again = requestIssuanceAgain(project, buyer.agent.token, { confirmations })
      assert.deepStrictEqual(outcome(yield* again), [409, "STATE_CONFLICT"])
      assert.strictEqual((yield* readStoredCredits(buyer)).balance, 1)
    })
  )

  it.effect.each(["NO_KEY", "DEFECT"] as const)(
    "If the record cannot be signed (%s), the acceptance and the credit are kept.",
    (fault) =>
      Effect.gen(function* () {
        const faults = yield* SignerFaults
        const buyer = yield* makeBuyer
        yield* grantTestCredits(buyer, 1)
        const project = yield* makeDelivery(buyer)
        yield* faults.failNext("RECORD", fault)
        const view = yield* accept(project, buyer.agent.token)
        assert.isTrue(yield* faults.hasFailed)
        assert.strictEqual(view.project.state, "BUYER_CONFIRMED")
        assert.deepInclude(view.project.recordIssuance, { status: "PENDING", recordId: null })
        assert.deepStrictEqual(kinds(view), ["CREATE", "RESPOND", "SUBMIT", "REVIEW"])
        const { balance, entries } = yield* readStoredCredits(buyer)
        assert.deepStrictEqual([balance, entries.map(({ change }) => change)], [1, [1]])
        yield* whenDueAgain(issueDueRecords())
        assert.deepStrictEqual(yield* readIssuanceState(buyer, project.projectId), ["ISSUED", null, true])
        assert.strictEqual((yield* readStoredCredits(buyer)).balance, 0)
      })
  )

  it.effect("Retries and exports issue no second record and consume no second credit.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      yield* grantTestCredits(buyer, 5)
      const project = yield* makeDelivery(buyer)
      const { projectId, view } = project
      const { token } = buyer.agent
      const body = reviewOf(view, "ACCEPT")
      const { project: accepted } = createdBody(yield* sendCommand(token, projectId, "review", body))
      const path = `/api/agents/v1/projects/${projectId}`
      const wanted = { expectedAgreementDigest: accepted.agreement.digest, expectedEventHash: accepted.headEventHash }
      const records = new Set<string>()
      for (let round = 0; round < 3; round++) {
        assert.isTrue(createdBody(yield* sendCommand(token, projectId, "review", body)).replayed)
        const nonce = uuid()
        createdBody(yield* send("POST", `${path}/exports/result-package`, { token, body: { ...wanted, nonce } }))
        createdBody(yield* send("POST", `${path}/status`, { token, body: { nonce } }))
        records.add(createdBody(yield* send("POST", `${path}/exports/standard-record`, { token })).record)
        records.add(createdBody(yield* send("GET", `${path}/record`, { token })).record)
        yield* whenDueAgain(issueDueRecords())
      }
      assert.strictEqual(records.size, 1)
      const { balance, entries } = yield* readStoredCredits(buyer)
      assert.deepStrictEqual([balance, entries.length], [4, 2])
      assert.strictEqual((yield* readAsBuyer(buyer, projectId)).project.headEventHash, accepted.headEventHash)
    })
  )
})
