import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { sendCommand, readProject, reviewOf, startProject, runToSubmitted, uuid } from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"

const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))

const exportAccepted = Effect.gen(function* () {
  const started = yield* startProject()
  const view = yield* runToSubmitted(started)
  const { buyerAgent, projectId } = started
  const accepted = yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "ACCEPT"))
  assert.strictEqual(accepted.body.project.state, "BUYER_CONFIRMED")
  assert.strictEqual(accepted.body.project.recordIssuance.status, "ISSUED")
  const { project } = yield* readProject(buyerAgent.token, projectId)
  const body = {
    expectedAgreementDigest: project.agreement.digest,
    expectedEventHash: project.headEventHash,
    nonce: uuid()
  }
  const path = `/api/agents/v1/projects/${projectId}/exports/result-package`
  const exported = yield* send("POST", path, { token: buyerAgent.token, body })
  assert.strictEqual(exported.status, 200)
  const { keys } = yield* Signer
  return { project, review: exported.body, keys, checkedAt: yield* now }
})

layer(freshTestService, { excludeTestServices: true })("an agreement through HTTP on Postgres", (it) => {
  it.effect("An agreement is delivered, accepted, recorded, exported and verified over HTTP", () =>
    Effect.gen(function* () {
      const { project, review, keys, checkedAt } = yield* exportAccepted
      assert.deepStrictEqual(
        project.events.map((event: { kind: string }) => event.kind),
        ["CREATE", "RESPOND", "SUBMIT", "REVIEW", "ISSUE"]
      )
      const report = verifyResultFiles({ artifact: bytesOf(review), trust: bytesOf(keys), checkedAt })
      assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
      assert.deepStrictEqual(
        report.checks.filter(({ outcome }) => outcome === "fail"),
        []
      )
    })
  )

  it.effect("Every single-bit change of an exported package is detected", () =>
    Effect.gen(function* () {
      const { review, keys, checkedAt } = yield* exportAccepted
      const original = bytesOf(review.record)
      const accepted: Array<string> = []
      // Every eleventh byte, each with another bit flipped: a sample of the whole package.
      for (let at = 0; at < original.length; at += 11) {
        const flipped = original.slice()
        flipped[at]! ^= 1 << ((at * 5 + 3) % 8)
        const changed = { ...review, record: Buffer.from(flipped).toString("latin1") }
        const report = verifyResultFiles({ artifact: bytesOf(changed), trust: bytesOf(keys), checkedAt })
        const failed = report.checks.filter(({ outcome }) => outcome === "fail")
        if (report.verdict === "VERIFIED_WITH_LIMITATIONS" || failed.length === 0) accepted.push(`byte ${at}`)
      }
      assert.deepStrictEqual(accepted, [])
    })
  )
})
