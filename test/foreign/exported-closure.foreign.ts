/** A closure as the service exports it, verified by both verifiers from saved files, without a network where one can be taken away. */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { requestClosure, requestClosureStatus } from "../support/closures.ts"
import { referred, requestExtended } from "../support/lineage.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { paid, payableResult } from "../support/orders.ts"
import { temporaryDirectory } from "../support/installation.ts"
import { buildVerifier } from "../verifier/build-verifier.ts"

const second = join(import.meta.dirname, "../verifier/second/check.py")

/** Some containers forbid a new namespace. */
const withoutNetwork = spawnSync("unshare", ["-rn", "true"]).status === 0 ? ["unshare", "-rn"] : []

layer(memoryTestService, { excludeTestServices: true })("the exported closure", (it) => {
  it.effect("Both verifiers accept the closure of a paid order offline, and refuse it with one changed amount.", () =>
    Effect.gen(function* () {
      const { buyer, order } = yield* paid(yield* payableResult)
      const folder = yield* temporaryDirectory
      const save = (name: string, text: string) => writeFileSync(join(folder, name), text)
      const closure = (yield* requestClosure(buyer, order.resultOrderId)).text
      save("transaction-records.json", closure)
      save("changed.json", closure.replace('"refundedMinor":0', '"refundedMinor":1'))
      save("transaction-status.json", (yield* requestClosureStatus(buyer, order.resultOrderId)).text)
      save("keys.json", JSON.stringify((yield* Signer).keys))
      buildVerifier(join(folder, "verify-result.mjs"))
      const checkedAt = yield* now
      const exitOf = (verifier: ReadonlyArray<string>, file: string) => {
        const words = [...withoutNetwork, ...verifier, file, "keys.json", checkedAt, "--status=transaction-status.json"]
        return spawnSync(words[0]!, words.slice(1), { cwd: folder, encoding: "utf8" }).status
      }
      for (const verifier of [
        [process.execPath, "verify-result.mjs"],
        ["python3", second]
      ]) {
        assert.strictEqual(exitOf(verifier, "transaction-records.json"), 0, verifier.join(" "))
        assert.strictEqual(exitOf(verifier, "changed.json"), 1, verifier.join(" "))
      }
    })
  )

  it.effect("Both verifiers accept a closure with a lineage offline, and refuse it without the lineage.", () =>
    Effect.gen(function* () {
      const { original, next } = yield* referred
      const { supplier, order, passport } = original
      const folder = yield* temporaryDirectory
      const save = (name: string, text: string) => writeFileSync(join(folder, name), text)
      const body = { passport, nextTaskId: next.projectId }
      const closure = (yield* requestExtended(supplier, order.resultOrderId, body)).text
      const { body: signed, ...rest } = JSON.parse(closure)
      const { lineage: _, ...plain } = signed
      const without = { ...rest, body: plain }
      save("transaction-records-with-history.json", closure)
      save("changed.json", JSON.stringify(without))
      save("keys.json", JSON.stringify((yield* Signer).keys))
      buildVerifier(join(folder, "verify-result.mjs"))
      const checkedAt = yield* now
      const reportOf = (verifier: ReadonlyArray<string>, file: string) => {
        const words = [...withoutNetwork, ...verifier, file, "keys.json", checkedAt]
        const { stdout, status } = spawnSync(words[0]!, words.slice(1), { cwd: folder, encoding: "utf8" })
        return { status, report: JSON.parse(stdout) }
      }
      for (const verifier of [
        [process.execPath, "verify-result.mjs"],
        ["python3", second]
      ]) {
        const accepted = reportOf(verifier, "transaction-records-with-history.json")
        assert.strictEqual(accepted.status, 0, verifier.join(" "))
        assert.strictEqual(reportOf(verifier, "changed.json").status, 1)
      }
      const { closure: told } = reportOf(
        [process.execPath, "verify-result.mjs"],
        "transaction-records-with-history.json"
      ).report
      assert.strictEqual(told.lineage.next.projectId, next.projectId)
      assert.strictEqual(told.lineage.next.supplier.organizationId, told.parties.supplier.organizationId)
    })
  )
})
