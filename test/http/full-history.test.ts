import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { pauseAs } from "../support/people.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { already, climb, otherAgreement, otherRevision, staleHead, type Request } from "../support/faults.ts"
import {
  command,
  readProject,
  respondTo,
  reviewOf,
  startProject,
  submissionFor,
  submitted,
  uuid
} from "../support/parties.ts"
import { freshTestService, send, siteUrl } from "../support/service.ts"

layer(freshTestService, { excludeTestServices: true })("a full history", (it) => {
  it.effect("keeps its last places for the events that end a project", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, buyer, projectId } = started
      let view = yield* submitted(started)
      const review = (action: string) => command(buyerAgent.token, projectId, "review", reviewOf(view, action))
      const submit = () => command(supplierAgent.token, projectId, "submit", submissionFor(view))
      while (view.project.events.length < 97) {
        view = (yield* review("REQUEST_CHANGES")).body
        view = (yield* submit()).body
      }
      const submissionAt97 = view
      // The 98th is the last for commands; a submission after it is full whatever else is wrong with it.
      view = (yield* review("REQUEST_CHANGES")).body
      assert.lengthOf(view.project.events, 98)
      const valid: Request = {
        id: projectId,
        operation: "/submit",
        token: supplierAgent.token,
        body: submissionFor(view),
        padding: 0
      }
      const full = already("DELIVERY_HISTORY_LIMIT_REACHED")
      const answers = yield* climb(valid, [otherRevision, staleHead, full], [otherAgreement])
      const limit = answers.find(({ body }) => body.error === "DELIVERY_HISTORY_LIMIT_REACHED")?.body
      assert.deepInclude(limit, {
        nextAction: "WAIT_FOR_HUMAN",
        humanUrl: `${siteUrl}/workspace/projects/${projectId}`
      })
      yield* pauseAs({ personId: buyer.personId, projectId, reason: "Stop." })
      yield* climb(valid, [already("AGENT_PAUSED")], [otherRevision, staleHead])
      assert.strictEqual(submissionAt97.project.state, "SUBMITTED")
    })
  )

  it.effect("takes an acceptance as the 98th event and the record as the 99th", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, projectId } = started
      let view = yield* submitted(started)
      while (view.project.events.length < 97) {
        const asked = yield* command(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))
        view = (yield* command(supplierAgent.token, projectId, "submit", submissionFor(asked.body))).body
      }
      const current = yield* readProject(buyerAgent.token, projectId)
      const accepted = yield* command(buyerAgent.token, projectId, "review", reviewOf(current, "ACCEPT"))
      assert.strictEqual(accepted.status, 200)
      assert.strictEqual(accepted.body.project.recordIssuance.status, "ISSUED")
      assert.lengthOf(accepted.body.project.events, 99)
    })
  )

  it.effect("of one submission as large as a body can be leaves a package that verifies", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, projectId } = started
      const first = yield* readProject(supplierAgent.token, projectId)
      const locked = yield* command(supplierAgent.token, projectId, "respond", respondTo(first, started))
      const body: any = submissionFor(locked.body)
      const references = Array.from({ length: 50 }, () => "€".repeat(4_000))
      const items = body.input.items.map((item: object) => ({ ...item, references, summary: "€".repeat(4_000) }))
      const sent = { ...body, input: { ...body.input, items } }
      assert.strictEqual((yield* command(supplierAgent.token, projectId, "submit", sent)).status, 200)
      const current = yield* readProject(buyerAgent.token, projectId)
      const accepted = yield* command(buyerAgent.token, projectId, "review", reviewOf(current, "ACCEPT"))
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

  it.effect("keeps bytes for the record, whatever the submissions took", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, buyerAgent, projectId } = started
      let view = yield* submitted(started)
      const submitWith = (characters: number) => {
        const body: any = submissionFor(view)
        const references = [0, 1, 2, 3].map((index) => `${index}`.padEnd(characters / 4, "x"))
        const items = body.input.items.map((item: object) => ({ ...item, references: spread(references) }))
        return command(supplierAgent.token, projectId, "submit", { ...body, input: { ...body.input, items } })
      }
      let refused = ""
      for (let characters = 160_000; characters >= 20_000;) {
        if (view.project.state === "SUBMITTED") {
          view = (yield* command(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))).body
        }
        const answer = yield* submitWith(characters)
        if (answer.status === 200) view = answer.body
        else {
          refused = answer.body.error
          characters /= 2
        }
      }
      assert.strictEqual(refused, "DELIVERY_HISTORY_LIMIT_REACHED")
      const last = yield* command(supplierAgent.token, projectId, "submit", submissionFor(view))
      assert.strictEqual(last.status, 200, last.text)
      const current = yield* readProject(buyerAgent.token, projectId)
      const accepted = yield* command(buyerAgent.token, projectId, "review", reviewOf(current, "ACCEPT"))
      assert.strictEqual(accepted.status, 200, accepted.text)
      assert.strictEqual(accepted.body.project.recordIssuance.status, "ISSUED")
    })
  )
})

/** The same characters in references of at most 4,000. */
const spread = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.match(/.{1,4000}/g) ?? [])
