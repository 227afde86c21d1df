/** Leases: no row has two claimants, none is claimed before it is due, and each can be claimed again once its lease expires. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { Jobs } from "../tables.ts"
import { test, type EmptyStore, type Store } from "./processes.ts"

const at = (second: number) => fromMilliseconds(Date.UTC(2026, 0, 1) + second * 1000)

const insertJobs = (store: Store, count: number) =>
  store.transaction({ locks: [] }, (transaction) =>
    Effect.forEach(
      Array.from({ length: count }, (_, index) => index),
      (index) =>
        transaction.insert(Jobs, {
          id: String(index).padStart(3, "0"),
          dueAt: at(index),
          leasedUntil: null,
          token: null
        }),
      { discard: true }
    )
  )

export const claimContract = (fresh: EmptyStore): void => {
  test(fresh, "A claim leases due rows, oldest first, up to the limit.", ({ here }) =>
    Effect.gen(function* () {
      yield* insertJobs(here, 10)
      const claimed = yield* here.claim(Jobs, { dueBy: at(4), leaseUntil: at(34), token: "t", limit: 3 })
      assert.deepStrictEqual(
        claimed,
        [0, 1, 2].map((index) => ({ id: `00${index}`, dueAt: at(index), leasedUntil: at(34), token: "t" }))
      )
      const rest = yield* here.claim(Jobs, { dueBy: at(4), leaseUntil: at(34), token: "u", limit: 9 })
      assert.deepStrictEqual(
        rest.map((job) => [job.id, job.token]),
        [
          ["003", "u"],
          ["004", "u"]
        ]
      )
      assert.deepStrictEqual(yield* here.view((reader) => reader.get(Jobs, ["003"])), rest[0])
    })
  )

  test(fresh, "A row can be claimed again exactly when its lease expires, and not before.", ({ here }) =>
    Effect.gen(function* () {
      yield* insertJobs(here, 1)
      yield* here.claim(Jobs, { dueBy: at(0), leaseUntil: at(30), token: "first", limit: 1 })
      const early = yield* here.claim(Jobs, { dueBy: at(29), leaseUntil: at(60), token: "early", limit: 1 })
      assert.deepStrictEqual(early, [])
      const [again] = yield* here.claim(Jobs, { dueBy: at(30), leaseUntil: at(60), token: "second", limit: 1 })
      assert.strictEqual(again?.token, "second")
    })
  )

  test(
    fresh,
    "Two processes that claim concurrently never get the same row, and together get all rows.",
    ({ here, there }) =>
      Effect.gen(function* () {
        yield* insertJobs(here, 100)
        const claim = (store: Store, token: string) =>
          store.claim(Jobs, { dueBy: at(1000), leaseUntil: at(2000), token, limit: 7 })
        const all: Array<string> = []
        const claimUntilNone = (store: Store, token: string) =>
          Effect.gen(function* () {
            for (;;) {
              const claimed = yield* claim(store, token)
              if (claimed.length === 0) return
              all.push(...claimed.map((job) => job.id))
            }
          })
        const claimants = Array.from({ length: 8 }, (_, index) =>
          claimUntilNone(index % 2 === 0 ? here : there, `claimant ${index}`)
        )
        yield* Effect.all(claimants, { concurrency: "unbounded" })
        assert.strictEqual(all.length, new Set(all).size)
        const left = yield* claim(here, "last")
        assert.strictEqual(all.length + left.length, 100)
      })
  )
}
