import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { pauseAs } from "../support/people.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { createProjectAsPerson } from "../../src/projects/person-operations.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import {
  stateFault,
  assertPrecedence,
  noDigest,
  otherAgreement,
  otherRevision,
  staleHead,
  type Request
} from "../support/refusal-precedence.ts"
import {
  sendCommand,
  readProject,
  respondTo,
  reviewOf,
  startProject,
  submissionFor,
  runToSubmitted,
  uuid
} from "../support/parties.ts"
import {
  confirmationCommandBody,
  runToAccepted,
  commandAsPerson,
  answerOf,
  concernOf,
  dateRevisionOf,
  personCommandBody,
  decisionOf,
  issuanceOf,
  materialsOf,
  readProjectAsPerson,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send, siteUrl } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("full histories", (it) => {
  it.effect("A full history reserves its last events for the end of the project", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, buyer, projectId } = started
      let view = yield* runToSubmitted(started)
      const review = (action: string) => sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, action))
      const submit = () => sendCommand(supplierAgent.token, projectId, "submit", submissionFor(view))
      while (view.project.events.length < 97) {
        view = (yield* review("REQUEST_CHANGES")).body
        view = (yield* submit()).body
      }
      const submissionAt97 = view
      // The 98th event is the last for commands; a later submission is refused as full whatever else is wrong with it.
      view = (yield* review("REQUEST_CHANGES")).body
      assert.lengthOf(view.project.events, 98)
      const valid: Request = {
        id: projectId,
        operation: "/submit",
        token: supplierAgent.token,
        body: submissionFor(view),
        padding: 0
      }
      const full = stateFault("DELIVERY_HISTORY_LIMIT_REACHED")
      const answers = yield* assertPrecedence(valid, [otherRevision, staleHead, full], [otherAgreement])
      const limit = answers.find(({ body }) => body.error === "DELIVERY_HISTORY_LIMIT_REACHED")?.body
      assert.deepInclude(limit, {
        nextAction: "WAIT_FOR_HUMAN",
        humanUrl: `${siteUrl}/workspace/projects/${projectId}`
      })
      yield* pauseAs({ personId: buyer.personId, projectId, reason: "Stop." })
      yield* assertPrecedence(valid, [stateFault("AGENT_PAUSED")], [otherRevision, staleHead])
      assert.strictEqual(submissionAt97.project.state, "SUBMITTED")
    })
  )

  it.effect("A full history accepts an acceptance as the 98th event and the record as the 99th", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, projectId } = started
      let view = yield* runToSubmitted(started)
      while (view.project.events.length < 97) {
        const asked = yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))
        view = (yield* sendCommand(supplierAgent.token, projectId, "submit", submissionFor(asked.body))).body
      }
      const current = yield* readProject(buyerAgent.token, projectId)
      const accepted = yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(current, "ACCEPT"))
      assert.strictEqual(accepted.status, 200)
      assert.strictEqual(accepted.body.project.recordIssuance.status, "ISSUED")
      assert.lengthOf(accepted.body.project.events, 99)
    })
  )

  it.effect("A history with a submission of maximum size has a package that verifies", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, projectId } = started
      const first = yield* readProject(supplierAgent.token, projectId)
      const locked = yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(first, started))
      const body: any = submissionFor(locked.body)
      const references = Array.from({ length: 50 }, () => "€".repeat(4_000))
      const items = body.input.items.map((item: object) => ({ ...item, references, summary: "€".repeat(4_000) }))
      const sent = { ...body, input: { ...body.input, items } }
      assert.strictEqual((yield* sendCommand(supplierAgent.token, projectId, "submit", sent)).status, 200)
      const current = yield* readProject(buyerAgent.token, projectId)
      const accepted = yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(current, "ACCEPT"))
      const { project } = accepted.body
      const exported = yield* send("POST", `/api/agents/v1/projects/${projectId}/exports/result-package`, {
        token: buyerAgent.token,
        body: {
          expectedAgreementDigest: project.agreement.digest,
          expectedEventHash: project.headEventHash,
          nonce: uuid()
        }
      })
      const { keys } = yield* Signer
      const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
      const artifact = bytes(exported.body)
      assert.isAbove(artifact.length, 1_900_000)
      const report = verifyResultFiles({ artifact, trust: bytes(keys), checkedAt: yield* now })
      assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
    })
  )

  it.effect("A history reserves bytes for the record, whatever the size of the submissions", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, projectId } = started
      let view = yield* runToSubmitted(started)
      const submitWith = (characters: number) => {
        const body: any = submissionFor(view)
        const references = [0, 1, 2, 3].map((index) => `${index}`.padEnd(characters / 4, "x"))
        const items = body.input.items.map((item: object) => ({ ...item, references: spread(references) }))
        return sendCommand(supplierAgent.token, projectId, "submit", { ...body, input: { ...body.input, items } })
      }
      let refused = ""
      for (let characters = 160_000; characters >= 20_000;) {
        if (view.project.state === "SUBMITTED") {
          view = (yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))).body
        }
        const answer = yield* submitWith(characters)
        if (answer.status === 200) view = answer.body
        else {
          refused = answer.body.error
          characters /= 2
        }
      }
      assert.strictEqual(refused, "DELIVERY_HISTORY_LIMIT_REACHED")
      const last = yield* sendCommand(supplierAgent.token, projectId, "submit", submissionFor(view))
      assert.strictEqual(last.status, 200, last.text)
      const current = yield* readProject(buyerAgent.token, projectId)
      const accepted = yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(current, "ACCEPT"))
      assert.strictEqual(accepted.status, 200, accepted.text)
      assert.strictEqual(accepted.body.project.recordIssuance.status, "ISSUED")
    })
  )
})

/** An accepted agreement of two people whose history is filled by concerns, each raised and dismissed. */
const acceptedWith = Effect.fnUntraced(function* (pair: Pair, events: number) {
  const projectId = yield* runToAccepted(pair)
  let view = yield* readProjectAsPerson(pair.buyer, projectId)
  while (view.project.events.length < events) {
    view = createdBody(yield* commandAsPerson(pair.buyer, projectId, "concern", concernOf(view)))
    view = createdBody(
      yield* commandAsPerson(pair.buyer, projectId, "resolve-concern", resolutionOf(view, "DISMISSED"))
    )
  }
  assert.deepStrictEqual([view.project.state, view.project.events.length], ["BUYER_CONFIRMED", events])
  return { projectId, view }
})

const resolutionOf = (view: any, resolution: string) => confirmationCommandBody(view, { resolution })

const people = Effect.gen(function* () {
  const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
  yield* grantCredits({ organizationId: pair.buyer.organizationId, credits: 10, reference: "test" })
  return pair
})

const full = [409, "DELIVERY_HISTORY_LIMIT_REACHED"]

/** The end of a project, as a person reads it. */
const endOf = (view: any): readonly [state: string, events: number, last: string] => {
  const { state, events } = view.project
  return [state, events.length, events.at(-1).kind]
}

layer(freshTestService, { excludeTestServices: true })("the two reserved events of people's agreements", (it) => {
  it.effect(
    "The reserved events accept the record as the 99th event and a withdrawal as the 100th, and nothing else",
    () =>
      Effect.gen(function* () {
        const pair = yield* people
        const { buyer, supplier } = pair
        const { projectId, view } = yield* acceptedWith(pair, 98)
        const reasoned = personCommandBody(view, { reason: "It goes on." })
        const refused: ReadonlyArray<readonly [typeof buyer, string, object]> = [
          [buyer, "concern", concernOf(view)],
          [supplier, "concern", concernOf(view)],
          [buyer, "resolve-concern", resolutionOf(view, "DISMISSED")],
          [buyer, "date-revision", dateRevisionOf(view, "REVIEW")],
          [buyer, "lift-hold", reasoned],
          [buyer, "review", decisionOf(view, "REQUEST_CHANGES")],
          [buyer, "review", decisionOf(view, "ACCEPT", { confirmationDigest: noDigest })],
          [supplier, "submit", materialsOf(view)],
          [supplier, "respond", answerOf(view, supplier, { confirmationDigest: noDigest })],
          [
            supplier,
            "change-representative",
            personCommandBody(view, { reason: "Mia goes on.", supplierActorId: buyer.personId })
          ]
        ]
        for (const [by, operation, body] of refused) {
          assert.deepStrictEqual(outcome(yield* commandAsPerson(by, projectId, operation, body)), full, operation)
        }
        const issued = createdBody(yield* commandAsPerson(buyer, projectId, "issue-record", issuanceOf(view)))
        assert.deepStrictEqual(endOf(yield* readProjectAsPerson(buyer, projectId)), ["BUYER_CONFIRMED", 99, "ISSUE"])
        assert.strictEqual(issued.project.recordIssuance.status, "ISSUED")
        for (const by of [buyer, supplier]) {
          const concern = concernOf(yield* readProjectAsPerson(by, projectId))
          assert.deepStrictEqual(outcome(yield* commandAsPerson(by, projectId, "concern", concern)), full)
        }
        const again = yield* commandAsPerson(
          buyer,
          projectId,
          "issue-record",
          issuanceOf(yield* readProjectAsPerson(buyer, projectId))
        )
        assert.deepStrictEqual(outcome(again), full)
        const withdrawal = confirmationCommandBody(yield* readProjectAsPerson(buyer, projectId), {})
        const withdrawn = createdBody(yield* commandAsPerson(buyer, projectId, "withdraw-confirmation", withdrawal))
        assert.deepStrictEqual(endOf(withdrawn), ["CONFIRMATION_WITHDRAWN", 100, "WITHDRAW_CONFIRMATION"])
        const after = yield* commandAsPerson(
          buyer,
          projectId,
          "withdraw-confirmation",
          confirmationCommandBody(withdrawn, {})
        )
        assert.deepStrictEqual(outcome(after), full)
      })
  )

  it.effect("On a full history, no invitation of a representative is made", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const { projectId } = yield* acceptedWith(pair, 98)
      const path = `/projects/${projectId}/representative-invitations`
      assert.deepStrictEqual(outcome(yield* post(pair.buyer, path, { requestId: uuid() })), full)
    })
  )

  it.effect("Terms that leave no room for an event are refused, and no agreement is made", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* people
      // Each of these characters has six bytes in a canonical text, and three in a submitted form.
      const text = "\u0001".repeat(limits.textCharacters)
      const terms = yield* termsOf(supplier, {
        criteria: Array.from({ length: limits.criteria }, (_, index) => ({
          id: `${index}`,
          title: `Criterion ${index}`,
          requirement: text
        }))
      })
      const request = yield* nonIdempotentRequest(buyer.personId)
      const created = createProjectAsPerson(buyer, request, {
        ...(terms as any),
        requestId: request.requestId,
        organizationId: buyer.organizationId
      })
      assert.deepInclude(yield* Effect.flip(created), { code: "DELIVERY_HISTORY_LIMIT_REACHED" })
      assert.deepStrictEqual((yield* read(buyer, "/projects")).body.projects, [])
    })
  )

  it.effect("The reserved events accept an upheld concern as the 99th event, and no dismissal", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const { buyer } = pair
      const { projectId, view } = yield* acceptedWith(pair, 96)
      createdBody(yield* commandAsPerson(buyer, projectId, "issue-record", issuanceOf(view)))
      const contested = createdBody(
        yield* commandAsPerson(buyer, projectId, "concern", concernOf(yield* readProjectAsPerson(buyer, projectId)))
      )
      assert.deepStrictEqual(endOf(contested), ["CONFIRMATION_CONTESTED", 98, "CONCERN"])
      const dismissed = yield* commandAsPerson(
        buyer,
        projectId,
        "resolve-concern",
        resolutionOf(contested, "DISMISSED")
      )
      assert.deepStrictEqual(outcome(dismissed), full)
      const upheld = createdBody(
        yield* commandAsPerson(buyer, projectId, "resolve-concern", resolutionOf(contested, "UPHELD"))
      )
      assert.deepStrictEqual(endOf(upheld), ["CONFIRMATION_WITHDRAWN", 99, "RESOLVE_CONCERN"])
    })
  )

  it.effect("The reserved events accept a supersession as the 99th event, or after the record as the 100th", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const { buyer, supplier } = pair
      for (const isRecorded of [false, true]) {
        const { projectId, view } = yield* acceptedWith(pair, 98)
        if (isRecorded) createdBody(yield* commandAsPerson(buyer, projectId, "issue-record", issuanceOf(view)))
        const terms = yield* termsOf(supplier, { title: "Logo, revised" })
        const current = yield* readProjectAsPerson(buyer, projectId)
        const offered = yield* commandAsPerson(
          buyer,
          projectId,
          "revise",
          personCommandBody(current, { reason: "Other dates.", terms })
        )
        const revision = createdBody(offered).project.taskId as string
        const answer = answerOf(yield* readProjectAsPerson(supplier, revision), supplier)
        createdBody(yield* commandAsPerson(supplier, revision, "respond", answer))
        const events = isRecorded ? 100 : 99
        assert.deepStrictEqual(endOf(yield* readProjectAsPerson(buyer, projectId)), ["SUPERSEDED", events, "SUPERSEDE"])
        assert.strictEqual((yield* readProjectAsPerson(buyer, revision)).project.state, "LOCKED")
      }
    })
  )
})

/** The same characters, split into references of at most 4,000. */
const spread = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.match(/.{1,4000}/g) ?? [])
