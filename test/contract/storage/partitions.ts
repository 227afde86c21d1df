/** Rows of a partitioned table: a change finds its row by the key and the column that the table is partitioned by. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import { Readings } from "../tables.ts"
import { defectOf, project, test, type EmptyStore, type Store } from "./processes.ts"

const january = "2026-01-05T09:00:00.123Z" as Instant
const may = "2031-05-31T23:59:59.999Z" as Instant

const locks = [project("a")]

const withReadings = (store: Store) =>
  store.transaction({ locks }, (transaction) =>
    Effect.forEach(
      [january, may, may],
      (at, index) => transaction.insert(Readings, { accountId: "a", number: index + 1, at, value: 0 }),
      { discard: true }
    )
  )

const readings = (store: Store) =>
  Effect.map(
    store.view((reader) => reader.range(Readings, "key", { prefix: ["a"], limit: 10 })),
    (rows) => rows.map(({ number, at, value }) => [number, at, value])
  )

export const partitionContract = (fresh: EmptyStore): void => {
  test(fresh, "Rows of several partitions read in the order of their key, and one by its key.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* withReadings(here)
      assert.deepStrictEqual(yield* readings(there), [
        [1, january, 0],
        [2, may, 0],
        [3, may, 0]
      ])
      const found = yield* there.view((reader) => reader.get(Readings, ["a", 2]))
      assert.strictEqual(found?.at, may)
    })
  )

  test(fresh, "Changes and removals of rows in several partitions take effect together.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* withReadings(here)
      yield* here.transaction({ locks }, (transaction) =>
        Effect.gen(function* () {
          yield* transaction.update(Readings, ["a", 1, january], { value: 1 })
          yield* transaction.update(Readings, ["a", 2, may], { value: 2 })
          yield* transaction.remove(Readings, ["a", 3, may])
        })
      )
      assert.deepStrictEqual(yield* readings(there), [
        [1, january, 1],
        [2, may, 2]
      ])
    })
  )

  test(fresh, "A change that names another instant than that of its row fails, and has no effect.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* withReadings(here)
      const message = yield* defectOf(here, { locks }, (transaction) =>
        transaction.update(Readings, ["a", 1, may], { value: 1 })
      )
      assert.include(message, "no such row")
      assert.deepStrictEqual((yield* readings(there))[0], [1, january, 0])
    })
  )
}
