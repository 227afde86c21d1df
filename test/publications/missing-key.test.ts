import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { proposePublication } from "../../src/publications/operations.ts"
import { exportPassport, readPublicationStatus } from "../../src/publications/public-operations.ts"
import { ExportBytes } from "../../src/records/portable-export.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { withoutKey } from "../support/missing-key.ts"
import { publicationsOf, publishedResult, selectionOf } from "../support/publications.ts"

layer(memoryTestService, { excludeTestServices: true })("an installation without a key", (it) => {
  it.effect("A passport needs a key for publications and one for statements, which is checked before its size.", () =>
    Effect.gen(function* () {
      const { subjectId, publication } = yield* publishedResult
      const request = { subjectId, selections: [selectionOf(publication)] }
      for (const purpose of ["PUBLICATION", "STATUS"] as const) {
        const exported = Effect.flip(exportPassport(request).pipe(withoutKey(purpose)))
        assert.strictEqual((yield* exported).code, "ISSUER_NOT_CONFIGURED")
        const tooLarge = Effect.provideService(exported, ExportBytes, 1)
        assert.strictEqual((yield* tooLarge).code, "ISSUER_NOT_CONFIGURED")
      }
      const unavailable = { ...request, selections: [{ ...request.selections[0]!, publicationDigest: "0".repeat(64) }] }
      const refused = yield* Effect.flip(exportPassport(unavailable).pipe(withoutKey("PUBLICATION")))
      assert.strictEqual(refused.code, "PASSPORT_SELECTION_UNAVAILABLE")
    })
  )

  it.effect("Statements need a key for statements only.", () =>
    Effect.gen(function* () {
      const { subjectId, publication } = yield* publishedResult
      const request = { subjectId, selections: [selectionOf(publication)] }
      assert.lengthOf(yield* readPublicationStatus(request).pipe(withoutKey("PUBLICATION")), 1)
      const refused = yield* Effect.flip(readPublicationStatus(request).pipe(withoutKey("STATUS")))
      assert.strictEqual(refused.code, "ISSUER_NOT_CONFIGURED")
      const foreign = { ...request, selections: [selectionOf((yield* publishedResult).publication)] }
      assert.deepStrictEqual(yield* readPublicationStatus(foreign).pipe(withoutKey("STATUS")), [])
    })
  )

  it.effect("A summary that cannot be signed is not proposed.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* publishedResult
      const projectId = yield* agreementWithRecord({ buyer, supplier })
      const request = yield* nonIdempotentRequest(supplier.personId)
      const input = { projectId, title: "A logo", summary: "One logo.", namesBuyer: true }
      const refused = yield* Effect.flip(proposePublication(supplier, request, input).pipe(withoutKey("PUBLICATION")))
      assert.strictEqual(refused.code, "ISSUER_NOT_CONFIGURED")
      assert.deepStrictEqual((yield* publicationsOf(buyer, projectId)).publications, [])
    })
  )
})
