/** The service's passports verify offline, with the statements that it gives at each time. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { exportPassport as exportFile } from "../../src/publications/public-operations.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { addMilliseconds, later, now, type Instant } from "../../src/vocabulary/instant.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  approve,
  contest,
  dismissConcern,
  exportPassport,
  propose,
  publish,
  publishedResult,
  readStatus,
  selectionOf,
  withdraw
} from "../support/publications.ts"
import { payloadOf } from "../support/published-schemas.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** The verdict on a passport, and the status of each entry, at that time. */
const verify = Effect.fnUntraced(function* (passport: unknown, checkedAt: Instant, statuses?: unknown) {
  const { keys } = yield* Signer
  const report = verifyResultFiles({
    artifact: bytesOf(passport),
    trust: bytesOf(keys),
    checkedAt,
    ...(statuses === undefined ? {} : { status: bytesOf(statuses) })
  })
  return [report.verdict, ...(report.passport?.entries ?? []).map(({ status }) => status)]
})

const verified = "VERIFIED_WITH_LIMITATIONS"

layer(memoryTestService, { excludeTestServices: true })("a passport of the service", (it) => {
  it.effect("A passport verifies for good, and its statements hold for less than five minutes.", () =>
    Effect.gen(function* () {
      const first = yield* publishedResult
      const projectId = yield* agreementWithRecord(first)
      const second = yield* publish({ ...first, projectId })
      const selections = [selectionOf(second), selectionOf(first.publication)]
      const passport = createdBody(yield* exportPassport(first.subjectId, { selections }))
      const { issuedAt } = payloadOf(passport.manifest)
      for (const [after, word] of [
        [0, "AVAILABLE"],
        [299_999, "AVAILABLE"],
        [300_000, "UNKNOWN"]
      ] as const) {
        assert.deepStrictEqual(yield* verify(passport, addMilliseconds(issuedAt, after)), [verified, word, word])
      }
      assert.deepStrictEqual(yield* verify(passport, issuedAt, []), [verified, "UNKNOWN", "UNKNOWN"])
    })
  )

  it.effect("New statements say what is public now, and the passport still verifies.", () =>
    Effect.gen(function* () {
      const result = yield* publishedResult
      const { subjectId, publication } = result
      const body = { selections: [selectionOf(publication)] }
      const passport = createdBody(yield* exportPassport(subjectId, body))
      const verifyNow = Effect.gen(function* () {
        const statuses = createdBody(yield* readStatus(subjectId, body))
        return yield* verify(passport, yield* now, statuses)
      })
      assert.deepStrictEqual(yield* verifyNow, [verified, "AVAILABLE"])
      yield* contest(result)
      assert.deepStrictEqual(yield* verifyNow, [verified, "UNAVAILABLE"])
      yield* dismissConcern(result)
      assert.deepStrictEqual(yield* verifyNow, [verified, "AVAILABLE"])
      createdBody(yield* withdraw(result.buyer, publication))
      assert.deepStrictEqual(yield* verifyNow, [verified, "UNAVAILABLE"])
    })
  )

  it.effect("A passport of a server whose clock is behind that of the proposal verifies.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* publishedResult
      const projectId = yield* agreementWithRecord({ buyer, supplier })
      const here = addMilliseconds(yield* now, 1_000)
      const ahead = addMilliseconds(here, 800)
      const proposed = createdBody(yield* propose(supplier, projectId).pipe(at(ahead)))
      const approved = createdBody(yield* approve(buyer, proposed).pipe(at(here)))
      assert.deepStrictEqual([proposed.proposedBy.at, approved.approvedBy.at], [ahead, ahead])
      const request = { subjectId: proposed.projection.subject.id, selections: [selectionOf(proposed)] }
      const passport = JSON.parse((yield* exportFile(request).pipe(at(here))).file as string)
      const [status] = passport.statuses.map(payloadOf)
      assert.deepStrictEqual([payloadOf(passport.manifest).issuedAt, status.issuedAt], [ahead, ahead])
      assert.deepStrictEqual(yield* verify(passport, later(here, ahead)), [verified, "AVAILABLE"])
    })
  )
})
