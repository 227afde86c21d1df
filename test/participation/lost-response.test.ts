import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { uuid } from "../support/parties.ts"
import { cuts, startProxy } from "../support/proxy.ts"
import { freshService, postgresStorage, testService } from "../support/service.ts"
import { at } from "../support/time.ts"
import { itemWithAssistant, noon, readItem, sendNote } from "./fixtures.ts"

for (const cut of cuts) {
  it.live(`A retried note whose connection was cut around COMMIT (${cut}) is written once.`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const proxy = yield* startProxy(yield* freshService)
        yield* Effect.gen(function* () {
          const { token } = yield* itemWithAssistant
          let left = 1
          proxy.chooseCut = (ends) => (ends === "transaction" && left-- > 0 ? cut : undefined)
          const requestId = uuid()
          const first = yield* sendNote(token, "Done.", requestId)
          assert.strictEqual(proxy.cutCounts[cut], 1)
          const again = yield* sendNote(token, "Done.", requestId)
          assert.deepStrictEqual([first.status, again.status, again.body.replayed], [201, 201, true])
          assert.deepStrictEqual((yield* readItem(token)).body.notes, [{ sequence: 1, text: "Done.", at: noon }])
        }).pipe(at(noon), Effect.provide(testService(postgresStorage(proxy.connection))))
      })
    )
  )
}
