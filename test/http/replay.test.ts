import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { pauseAs } from "../support/people.ts"
import { now } from "../../src/vocabulary/instant.ts"
import {
  buyerActions,
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  makeParty,
  readProject,
  respondTo,
  reviewOf,
  startProject,
  submissionFor,
  runToSubmitted,
  supplierActions,
  uuid
} from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"

const agents = "/api/agents/v1"

/** A buyer's agent and its prepared creation. */
const aboutToCreate = Effect.gen(function* () {
  const buyer = yield* makeParty("Dana")
  const supplier = yield* makeParty("Sam")
  const { token, grantId } = yield* makeAgent(buyer, "BUYER", buyerActions)
  const body = creationInput(supplier, yield* confirmAgreement, yield* now)
  const projectsOf = Effect.map(send("GET", `${agents}/me`, { token }), (me) => me.body.projectIds as Array<string>)
  return { buyer, supplier, token, grantId, body, projectsOf }
})

const create = (token: string, body: object) => send("POST", `${agents}/projects`, { token, body })

/** A replay sends no e-mail, so it has no emailUpdate. */
const replayOf = ({ emailUpdate: _first, ...body }: any) => ({ ...body, replayed: true })

const locked = Effect.gen(function* () {
  const started = yield* startProject()
  const { supplierAgent, projectId } = started
  const view = yield* readProject(supplierAgent.token, projectId)
  const answered = yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started))
  return { ...started, view: answered.body }
})

/** The same members in reverse order at every level, with white space between them. */
const rewritten = (value: unknown): string => JSON.stringify(reversed(value), null, 3)
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)])
  )
}

layer(freshTestService, { excludeTestServices: true })("replays", (it) => {
  it.effect("A replayed creation is 201, marked as replayed, and creates no second project", () =>
    Effect.gen(function* () {
      const { token, body, projectsOf } = yield* aboutToCreate
      const first = yield* create(token, body)
      const second = yield* create(token, body)
      assert.deepStrictEqual([first.status, second.status], [201, 201])
      assert.notProperty(first.body, "replayed")
      assert.deepStrictEqual(second.body, replayOf(first.body))
      assert.lengthOf(yield* projectsOf, 1)
    })
  )

  it.effect("A replayed command is answered with the current view and appends no second event", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, projectId } = started
      const opened = yield* readProject(supplierAgent.token, projectId)
      const respond = respondTo(opened, started)
      const answered = yield* sendCommand(supplierAgent.token, projectId, "respond", respond)
      const submit = submissionFor(answered.body)
      yield* sendCommand(supplierAgent.token, projectId, "submit", submit)
      const view = yield* readProject(buyerAgent.token, projectId)
      const review = reviewOf(view, "ACCEPT")
      const accepted = yield* sendCommand(buyerAgent.token, projectId, "review", review)
      assert.strictEqual(accepted.body.project.recordIssuance.status, "ISSUED")
      const sent = [
        [supplierAgent, "respond", respond],
        [supplierAgent, "submit", submit],
        [buyerAgent, "review", review]
      ] as const
      for (const [agent, operation, body] of sent) {
        const again = yield* sendCommand(agent.token, projectId, operation, body)
        assert.deepStrictEqual([again.status, again.body.replayed], [200, true], operation)
        assert.deepStrictEqual(again.body.project.events, accepted.body.project.events)
      }
    })
  )

  it.effect("A replayed issuance requests one record", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyer, projectId } = started
      const acceptor = yield* makeAgent(buyer, "BUYER", ["CONFIRM_COMPLETION"], [projectId])
      const accepted = yield* sendCommand(
        acceptor.token,
        projectId,
        "review",
        reviewOf(yield* runToSubmitted(started), "ACCEPT")
      )
      const { project, automation } = accepted.body
      assert.strictEqual(project.recordIssuance.status, "NOT_REQUESTED")
      const body = {
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
      }
      const ask = (input: object = {}) =>
        sendCommand(started.buyerAgent.token, projectId, "issue-record", {
          ...body,
          input: { ...body.input, ...input }
        })
      const issued = yield* ask()
      assert.deepStrictEqual([issued.status, issued.body.project.recordIssuance.status], [200, "ISSUED"])
      const again = yield* ask()
      assert.deepStrictEqual([again.status, again.body.replayed], [200, true])
      assert.deepStrictEqual(again.body.project.events, issued.body.project.events)
      assert.strictEqual((yield* ask({ requestId: uuid() })).body.error, "STALE_EVENT_HEAD")
    })
  )

  it.effect("A replay is independent of member order and white space", () =>
    Effect.gen(function* () {
      const { token, body } = yield* aboutToCreate
      const first = yield* create(token, body)
      const again = yield* send("POST", `${agents}/projects`, { token, raw: rewritten(body) })
      assert.deepStrictEqual(again.body, replayOf(first.body))
    })
  )

  it.effect("A replay is not refused by a pause, since it writes nothing", () =>
    Effect.gen(function* () {
      const { supplierAgent, buyer, projectId, view } = yield* locked
      const body = submissionFor(view)
      yield* sendCommand(supplierAgent.token, projectId, "submit", body)
      yield* pauseAs({ personId: buyer.personId, projectId, reason: "Stop." })
      const again = yield* sendCommand(supplierAgent.token, projectId, "submit", body)
      assert.deepStrictEqual([again.status, again.body.replayed], [200, true])
      const fresh = yield* sendCommand(supplierAgent.token, projectId, "submit", submissionFor(again.body))
      assert.strictEqual(fresh.body.error, "AGENT_PAUSED")
    })
  )

  it.effect("Reads, status and exports are not refused by a pause either", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyer, buyerAgent, projectId } = started
      const accepted = yield* sendCommand(
        buyerAgent.token,
        projectId,
        "review",
        reviewOf(yield* runToSubmitted(started), "ACCEPT")
      )
      yield* pauseAs({ personId: buyer.personId, projectId, reason: "Stop." })
      const view = yield* readProject(buyerAgent.token, projectId)
      assert.deepInclude(view.automation, { paused: true, revision: 1 })
      assert.strictEqual(view.project.headEventHash, accepted.body.project.headEventHash)
      const status = yield* sendCommand(buyerAgent.token, projectId, "status", { nonce: uuid() })
      const exported = yield* sendCommand(buyerAgent.token, projectId, "exports/result-package", {
        expectedAgreementDigest: view.project.agreement.digest,
        expectedEventHash: view.project.headEventHash,
        nonce: uuid()
      })
      assert.deepStrictEqual([status.status, exported.status], [200, 200])
    })
  )

  it.effect("A replay after a revocation is 401", () =>
    Effect.gen(function* () {
      const { token, grantId, body } = yield* aboutToCreate
      yield* create(token, body)
      yield* revokeGrant("OPERATOR", { grantId })
      const again = yield* create(token, body)
      assert.deepStrictEqual([again.status, again.body.error], [401, "AUTH_INVALID"])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("request ids", (it) => {
  it.effect("A request id belongs to one body", () =>
    Effect.gen(function* () {
      const { token, body, projectsOf } = yield* aboutToCreate
      yield* create(token, body)
      const others: ReadonlyArray<object> = [
        { title: "Another logo" },
        { title: `${body.title} ` },
        { criteria: [...body.criteria, { id: "more", title: "More", requirement: "More." }] },
        { confirmationDigest: "0".repeat(64) },
        { deadline: body.reviewDeadline, reviewDeadline: "2999-01-01T00:00:00.000Z" }
      ]
      for (const changes of others) {
        const other = yield* create(token, { ...body, ...changes })
        assert.deepStrictEqual([other.status, other.body.error], [409, "REQUEST_ID_CONFLICT"])
        assert.strictEqual(other.body.nextAction, "USE_NEW_REQUEST_ID")
      }
      assert.lengthOf(yield* projectsOf, 1)
    })
  )

  it.effect("A request id belongs to one operation and one project", () =>
    Effect.gen(function* () {
      const first = yield* locked
      const second = yield* startProject()
      const { token, grantId } = first.supplierAgent
      assert.match(grantId, /^grant_/)
      const body = submissionFor(first.view)
      yield* sendCommand(token, first.projectId, "submit", body)
      const { requestId } = body.input
      const view = yield* readProject(token, first.projectId)
      const respond = yield* sendCommand(token, first.projectId, "respond", respondTo(view, first, { requestId }))
      assert.strictEqual(respond.body.error, "REQUEST_ID_CONFLICT")
      const both = yield* makeAgent(second.supplier, "SUPPLIER", supplierActions, [second.projectId])
      const foreign = yield* readProject(both.token, second.projectId)
      const elsewhere = yield* sendCommand(
        both.token,
        second.projectId,
        "respond",
        respondTo(foreign, second, { requestId })
      )
      assert.strictEqual(elsewhere.status, 200, "another grant has request ids of its own")
    })
  )

  it.effect("A request id of one grant is used on every project in its scope", () =>
    Effect.gen(function* () {
      const { token, body, supplier } = yield* aboutToCreate
      const projects = [
        (yield* create(token, body)).body.project.taskId as string,
        (yield* create(token, { ...body, requestId: uuid() })).body.project.taskId as string
      ]
      const agent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, projects)
      const requestId = uuid()
      const answers = yield* Effect.forEach(
        projects,
        Effect.fnUntraced(function* (projectId) {
          const view = yield* readProject(agent.token, projectId)
          return yield* sendCommand(agent.token, projectId, "respond", respondTo(view, { supplier }, { requestId }))
        }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409])
      const refused = answers.find(({ status }) => status === 409)
      assert.strictEqual(refused?.body.error, "REQUEST_ID_CONFLICT")
    })
  )

  it.effect("A request id stays unused after a refusal", () =>
    Effect.gen(function* () {
      const { token, body } = yield* aboutToCreate
      const refused = yield* create(token, { ...body, confirmationDigest: "0".repeat(64) })
      assert.strictEqual(refused.body.error, "CONFIRMATION_DIGEST_STALE")
      const created = yield* create(token, body)
      assert.strictEqual(created.status, 201)
      assert.notProperty(created.body, "replayed")
    })
  )

  it.effect("A request id of a command stays unused after each refusal", () =>
    Effect.gen(function* () {
      const { supplierAgent, projectId, view } = yield* locked
      const body = submissionFor(view)
      const zero = "0".repeat(64)
      const invalid: ReadonlyArray<readonly [string, object]> = [
        ["AGENT_CHANGED_REFRESH_REQUIRED", { ...body, automationRevision: 7 }],
        ["STALE_EVENT_HEAD", { ...body, expectedEventHash: zero }],
        ["AGREEMENT_DIGEST_MISMATCH", { ...body, input: { ...body.input, agreementDigest: zero } }],
        ["CRITERIA_INCOMPLETE", { ...body, input: { ...body.input, items: [] } }]
      ]
      for (const [code, one] of invalid) {
        assert.strictEqual((yield* sendCommand(supplierAgent.token, projectId, "submit", one)).body.error, code)
      }
      const accepted = yield* sendCommand(supplierAgent.token, projectId, "submit", body)
      assert.strictEqual(accepted.status, 200)
      assert.notProperty(accepted.body, "replayed")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("concurrent requests", (it) => {
  it.effect("50 equal concurrent creations create one project", () =>
    Effect.gen(function* () {
      const { token, body, projectsOf } = yield* aboutToCreate
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => create(token, body)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
      assert.lengthOf(
        answers.filter((answer) => answer.body.replayed !== true),
        1
      )
      assert.strictEqual(new Set(answers.map((answer) => answer.body.project.taskId)).size, 1)
      assert.lengthOf(yield* projectsOf, 1)
    })
  )

  it.effect("20 equal concurrent submissions append one event", () =>
    Effect.gen(function* () {
      const { supplierAgent, projectId, view } = yield* locked
      const body = submissionFor(view)
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => sendCommand(supplierAgent.token, projectId, "submit", body)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.lengthOf(
        answers.filter((answer) => answer.body.replayed !== true),
        1
      )
      const after = yield* readProject(supplierAgent.token, projectId)
      assert.deepStrictEqual(
        after.project.events.map((event: { kind: string }) => event.kind),
        ["CREATE", "RESPOND", "SUBMIT"]
      )
    })
  )

  it.effect("20 different concurrent submissions on one head append one event; the others receive the new head", () =>
    Effect.gen(function* () {
      const { supplierAgent, projectId, view } = yield* locked
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => sendCommand(supplierAgent.token, projectId, "submit", submissionFor(view))),
        { concurrency: "unbounded" }
      )
      const { project } = yield* readProject(supplierAgent.token, projectId)
      assert.lengthOf(
        answers.filter(({ status }) => status === 200),
        1
      )
      for (const { status, body } of answers) {
        if (status === 200) continue
        assert.strictEqual(body.error, "STALE_EVENT_HEAD")
        assert.strictEqual(body.current.headEventHash, project.headEventHash)
      }
    })
  )
})
