import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { grantAgent, pauseAs, resumeAs } from "../support/people.ts"
import { agentAsCaller } from "../../src/projects/agent-caller.ts"
import { commit } from "../../src/projects/commit.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import {
  stateFault,
  earlyFaults,
  assertPrecedence,
  noDigest,
  otherAgreement,
  otherRevision,
  sendRequest,
  staleHead,
  tooLarge,
  unknownRoute,
  usedId,
  withInput,
  withToken,
  type Fault,
  type Request
} from "../support/refusal-precedence.ts"
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
  sha,
  startProject,
  submissionFor,
  runToSubmitted,
  uuid
} from "../support/parties.ts"
import { freshTestService, send, siteUrl } from "../support/service.ts"
import { at } from "../support/time.ts"

const agents = "/api/agents/v1"

/** A request id used by the supplier's answer, the buyer's creation and a reviewer's request for changes. */
const usedByAll = uuid()

const reviewed = Effect.gen(function* () {
  const started = yield* startProject({ changes: { requestId: usedByAll } })
  const { buyer, buyerAgent, projectId } = started
  const reviewer = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
  const first = yield* runToSubmitted(started)
  const asked = yield* sendCommand(
    reviewer.token,
    projectId,
    "review",
    reviewOf(first, "REQUEST_CHANGES", { requestId: usedByAll })
  )
  yield* sendCommand(started.supplierAgent.token, projectId, "submit", submissionFor(asked.body))
  const view = yield* readProject(buyerAgent.token, projectId)
  const valid: Request = {
    id: projectId,
    operation: "/review",
    token: buyerAgent.token,
    body: reviewOf(view, "ACCEPT"),
    padding: 0
  }
  return { ...started, reviewer, view, valid }
})

layer(freshTestService, { excludeTestServices: true })("order of checks", (it) => {
  it.effect("The checks of a review run in order, from the route to the agreement", () =>
    Effect.gen(function* () {
      const { valid, view, reviewer, buyer, projectId } = yield* reviewed
      const faults = [...earlyFaults, withToken(reviewer.token), usedId(usedByAll)]
      const pause = { personId: buyer.personId, projectId, reason: "Stop." }
      yield* pauseAs(pause)
      const answers = yield* assertPrecedence(
        valid,
        [...faults, stateFault("AGENT_PAUSED")],
        [otherRevision, staleHead]
      )
      const paused = answers.find(({ body }) => body.error === "AGENT_PAUSED")?.body
      assert.deepInclude(paused, {
        nextAction: "WAIT_FOR_HUMAN",
        requiredHumanAction: "RESUME_AGENTS",
        humanUrl: `${siteUrl}/workspace/projects/${projectId}`
      })
      yield* resumeAs(pause)
      const current = { headEventHash: view.project.headEventHash, automationRevision: 2 }
      const [revision] = yield* assertPrecedence(valid, [otherRevision], [staleHead, otherAgreement])
      assert.deepStrictEqual(revision?.body.current, current)
      const body = { ...valid.body, automationRevision: 2 }
      const [head] = yield* assertPrecedence({ ...valid, body }, [staleHead, otherAgreement])
      assert.deepStrictEqual(head?.body.current, current)
      assert.strictEqual(head?.body.nextAction, "REREAD_PROJECT")
      assert.strictEqual((yield* sendRequest({ ...valid, body })).status, 200)
    })
  )

  it.effect("The checks of a review run in order, from the agreement to the confirmation", () =>
    Effect.gen(function* () {
      const buyer = yield* makeParty("Dana")
      const supplier = yield* makeParty("Sam")
      const subjectRequirements = [{ id: "people", statement: "Dana accepts.", humanDecisions: ["ACCEPT"] as const }]
      const { personId, organizationId } = buyer
      const grant = { personId, organizationId, role: "BUYER" as const, agentName: "Agent", projectIds: [] }
      const { token } = yield* grantAgent({ ...grant, actions: buyerActions, subjectRequirements })
      const input = creationInput(supplier, yield* confirmAgreement, yield* now, { subjectRequirements })
      const made = yield* send("POST", `${agents}/projects`, { token, body: input })
      const projectId: string = made.body.project.taskId
      const supplierAgent = yield* makeAgent(supplier, "SUPPLIER", ["RESPOND_TERMS", "SUBMIT_MATERIALS"], [projectId])
      const view = yield* runToSubmitted({ ...made.body, supplierAgent, buyerAgent: { token }, projectId, supplier })
      const valid: Request = { id: projectId, operation: "/review", token, body: reviewOf(view, "ACCEPT"), padding: 0 }
      const input409 = (code: string, changes: object): Fault => ({
        status: 409,
        code,
        applyTo: (request) => withInput(request, changes)
      })
      const faults = [
        input409("SUBMISSION_MISMATCH", { submissionId: `submission_${uuid()}` }),
        input409("CRITERIA_INCOMPLETE", { decisions: [] }),
        input409("CHECKED_FILES_MISMATCH", { checkedFiles: [{ criterionId: "vector", name: "other", sha256: sha }] }),
        stateFault("HUMAN_DECISION_REQUIRED"),
        input409("CONFIRMATION_DIGEST_STALE", { confirmationDigest: noDigest })
      ]
      const late = at(addMilliseconds(input.reviewDeadline as Instant, 1))
      const [, passed] = yield* late(
        assertPrecedence(valid, [otherAgreement, stateFault("REVIEW_DEADLINE_PASSED")], faults)
      )
      assert.deepInclude(passed?.body, { dueAt: input.reviewDeadline, nextAction: "REQUEST_DATE_CHANGE" })
      const answers = yield* assertPrecedence(valid, [otherAgreement, ...faults.slice(0, 4)], faults.slice(4))
      assert.deepInclude(answers.at(-1)?.body, {
        nextAction: "WAIT_FOR_HUMAN",
        requiredHumanAction: "Dana accepts.",
        humanUrl: `${siteUrl}/workspace/projects/${projectId}`
      })
      const inTime = at(input.reviewDeadline as Instant)
      const asked = reviewOf(view, "REQUEST_CHANGES")
      const onTheMillisecond = yield* inTime(sendRequest({ ...valid, body: asked }))
      assert.strictEqual(onTheMillisecond.status, 200)
    })
  )

  it.effect("A response in another's name, or for another side, is 403", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, projectId, supplier } = started
      const view = yield* readProject(supplierAgent.token, projectId)
      const body = respondTo(view, started)
      const valid: Request = { id: projectId, operation: "/respond", token: supplierAgent.token, body, padding: 0 }
      const named = (changes: object): Fault => ({
        status: 403,
        code: "FORBIDDEN_AGENT_ACTION",
        applyTo: (request) => withInput(request, changes)
      })
      yield* assertPrecedence(valid, [
        ...earlyFaults,
        named({ actorId: started.buyer.personId }),
        otherRevision,
        staleHead
      ])
      yield* assertPrecedence(valid, [named({ actorRole: "BUYER" }), otherRevision, staleHead, otherAgreement])
      yield* assertPrecedence(valid, [withToken(buyerAgent.token), otherRevision])
      const unsure = withInput(valid, { authorityAttested: false })
      assert.strictEqual((yield* sendRequest(unsure)).body.error, "INVALID_REQUEST")
      const elsewhere = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      yield* assertPrecedence(valid, [withToken(elsewhere.token), otherRevision])
    })
  )

  it.effect("A credential revoked before the transaction is refused before the scope is checked", () =>
    Effect.gen(function* () {
      const { buyer, buyerAgent } = yield* startProject()
      yield* revokeGrant("OPERATOR", buyerAgent)
      const { code } = yield* commit({
        request: { owner: buyerAgent.grantId, requestId: uuid(), fingerprint: noDigest },
        by: agentAsCaller({ grantId: buyerAgent.grantId, membershipId: buyer.membershipId, generation: 1 }),
        projectId: `delivery_${uuid()}`,
        expectedEventHash: noDigest,
        automationRevision: 0,
        command: { kind: "SUBMIT", input: submissionFor({ project: { agreement: {} }, automation: {} }).input as any }
      }).pipe(Effect.flip)
      assert.strictEqual(code, "AUTH_INVALID")
    })
  )

  it.effect("A project out of scope has the same response whether or not it exists", () =>
    Effect.gen(function* () {
      const one = yield* startProject()
      const other = yield* startProject()
      const { token } = one.buyerAgent
      const unknown = `delivery_${uuid()}`
      for (const path of ["", "/submit", "/status", "/exports/result-package"]) {
        const body =
          path === "/submit"
            ? submissionFor(one.created)
            : path === "/status"
              ? { nonce: uuid() }
              : { expectedAgreementDigest: noDigest, expectedEventHash: noDigest, nonce: uuid() }
        const ask = (id: string) =>
          send(path === "" ? "GET" : "POST", `${agents}/projects/${id}${path}`, {
            token,
            ...(path === "" ? {} : { body })
          })
        const [existing, missing] = [yield* ask(other.projectId), yield* ask(unknown)]
        assert.strictEqual(existing.status, 403, path)
        assert.deepStrictEqual([existing.status, existing.body], [missing.status, missing.body])
      }
    })
  )

  it.effect("The checks of an export run in order: head, agreement, then the record", () =>
    Effect.gen(function* () {
      const { created, buyerAgent, projectId } = yield* startProject()
      const body = {
        expectedAgreementDigest: created.project.agreement.digest,
        expectedEventHash: created.project.headEventHash,
        nonce: uuid()
      }
      const valid: Request = {
        id: projectId,
        operation: "/exports/result-package",
        token: buyerAgent.token,
        body,
        padding: 0
      }
      const set = (code: string, changes: object): Fault => ({
        status: 409,
        code,
        applyTo: (request) => ({ ...request, body: { ...request.body, ...changes } })
      })
      const large: Fault = { ...tooLarge, applyTo: (request) => ({ ...request, padding: 4_096 }) }
      yield* assertPrecedence(valid, [
        unknownRoute,
        large,
        ...earlyFaults.slice(2),
        set("STALE_EVENT_HEAD", { expectedEventHash: noDigest }),
        set("AGREEMENT_DIGEST_MISMATCH", { expectedAgreementDigest: noDigest }),
        stateFault("RESULT_NOT_ISSUED")
      ])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("order of checks of a creation", (it) => {
  it.effect("The checks of a creation run in order, from the route to the number of projects", () =>
    Effect.gen(function* () {
      const buyer = yield* makeParty("Dana")
      const supplier = yield* makeParty("Sam")
      const { token } = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
      const other = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"])
      const today = yield* now
      const fresh = creationInput(supplier, yield* confirmAgreement, today)
      const create = (body: object, options = {}) => send("POST", `${agents}/projects`, { token, body, ...options })
      // The fiftieth project fills the grant, so that the last check fails too.
      yield* Effect.forEach(Array.from({ length: 50 }), () => create({ ...fresh, requestId: uuid() }))
      const used = uuid()
      const spare = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
      yield* create({ ...fresh, requestId: used }, { token: spare.token })
      const requirement = { id: "people", statement: "A person.", humanDecisions: [] }
      const faults: ReadonlyArray<readonly [status: number, code: string, changes: object]> = [
        [400, "INVALID_REQUEST", { materialPolicy: "FILES" }],
        [409, "DEADLINE_NOT_FUTURE", { deadline: today }],
        [409, "SAME_PARTY", { supplierActorId: buyer.personId }],
        [409, "UNKNOWN_SUPPLIER", { supplierActorId: `person_${uuid()}` }],
        [409, "SUBJECT_REQUIREMENTS_NOT_PRESERVED", { subjectRequirements: [requirement] }],
        [409, "REVIEW_CREATION_REQUIREMENTS", { legalContext: undefined }],
        [409, "LEGAL_DOCUMENTS_CHANGED", { legalContext: { documents: [] } }],
        [409, "CONFIRMATION_DIGEST_STALE", { confirmationDigest: noDigest }],
        [409, "CREATED_PROJECT_LIMIT", {}]
      ]
      for (const [index, [status, code]] of faults.entries()) {
        const changes = faults.slice(index).reduceRight((all, [, , one]) => ({ ...all, ...one }), {})
        const answer = yield* create({ ...fresh, requestId: uuid(), ...changes })
        assert.deepStrictEqual([code, answer.status, answer.body.error], [code, status, code])
        assert.notProperty(answer.body, "humanUrl")
        if (index === 0) continue
        const forbidden = yield* create({ ...fresh, requestId: uuid(), ...changes }, { token: other.token })
        assert.deepStrictEqual([forbidden.status, forbidden.body.error], [403, "FORBIDDEN_AGENT_ACTION"])
        const conflict = yield* create({ ...fresh, requestId: used, ...changes }, { token: spare.token })
        assert.strictEqual(conflict.body.error, index === faults.length - 1 ? undefined : "REQUEST_ID_CONFLICT")
      }
      const unconfirmed = yield* create({ ...fresh, requestId: uuid(), confirmationDigest: undefined })
      assert.strictEqual(unconfirmed.body.error, "REVIEW_CREATION_REQUIREMENTS")
      const me = yield* send("GET", `${agents}/me`, { token })
      assert.lengthOf(me.body.projectIds, 50)
    })
  )

  it.effect("A deadline must be later than the current millisecond", () =>
    Effect.gen(function* () {
      const buyer = yield* makeParty("Dana")
      const supplier = yield* makeParty("Sam")
      const { token } = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
      const today = yield* now
      const digest = yield* confirmAgreement
      const createAt = (milliseconds: number) => {
        const body = creationInput(supplier, digest, today, { deadline: addMilliseconds(today, 1_000) })
        return at(addMilliseconds(today, milliseconds))(send("POST", `${agents}/projects`, { token, body }))
      }
      assert.strictEqual((yield* createAt(1_000)).body.error, "DEADLINE_NOT_FUTURE")
      assert.strictEqual((yield* createAt(999)).status, 201)
    })
  )
})
