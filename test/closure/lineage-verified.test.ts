/** Closures with history as the service exports them, verified offline. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { referred, requestExtended, reviseAgreement, supersedeByRevision } from "../support/lineage.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { withdraw } from "../support/publications.ts"
import { createdBody } from "../support/workspace.ts"

type Referred = Effect.Success<typeof referred>

/** Exports the closure for the supplier's representative; fails the test if it does not verify. */
const verifyExport = Effect.fnUntraced(function* ({ original, next }: Referred) {
  const { keys } = yield* Signer
  const body = { passport: original.passport, nextTaskId: next.projectId }
  const answer = yield* requestExtended(original.supplier, original.order.resultOrderId, body)
  assert.strictEqual(answer.status, 200, answer.text)
  const report = verifyResultFiles({
    artifact: new TextEncoder().encode(answer.text),
    trust: new TextEncoder().encode(JSON.stringify(keys)),
    checkedAt: yield* now
  })
  assert.deepStrictEqual(
    report.checks.filter(({ outcome }) => outcome === "fail"),
    []
  )
  assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
})

layer(memoryTestService, { excludeTestServices: true })("the exported closure with history", (it) => {
  it.effect(
    "It verifies while the next agreement is in force, while other terms are offered, and once superseded.",
    () =>
      Effect.gen(function* () {
        const found = yield* referred
        const { buyer, supplier, projectId } = found.next
        yield* verifyExport(found)
        yield* reviseAgreement(buyer, supplier, projectId)
        yield* verifyExport(found)
        const another = yield* referred
        yield* supersedeByRevision(another.next.buyer, another.next.supplier, another.next.projectId)
        createdBody(yield* withdraw(another.original.supplier, another.original.publication))
        yield* verifyExport(another)
      })
  )
})
