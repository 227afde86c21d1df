/** Simultaneous reads and writes: a store may combine them into one statement, without a visible difference. */
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import type { Reader, Transaction } from "../../../src/ports/storage.ts"
import { Accounts, Entries, Facts } from "../tables.ts"
import { balanceOf, openAccounts, project, test, type EmptyStore, type Store } from "./processes.ts"
import { fact, insertFacts } from "./ranges.ts"

const accounts = ["a", "b", "c"]
const locks = accounts.map(project)

const fill = Effect.fnUntraced(function* (store: Store) {
  yield* openAccounts(store, accounts)
  yield* store.transaction({ locks }, (transaction) =>
    Effect.forEach(
      ["a", "a", "a", "b", "b"],
      (accountId, number) =>
        transaction.insert(Entries, { accountId, number, label: `${accountId}${number}`, group: `g${5 - number}` }),
      { discard: true }
    )
  )
})

/** Reads of many kinds: some alike, some equal, and some of missing rows. */
const reads = (reader: Reader): ReadonlyArray<Effect.Effect<unknown>> => [
  ...["c", "a", "none", "b", "a"].map((id) => reader.get(Facts, [id])),
  ...["b", "c", "a", "a"].map((id) => reader.get(Accounts, [id])),
  ...[1, 0, 7].map((number) => reader.get(Entries, ["a", number])),
  ...["a1", "a2", "none", "a0", "a2", "b3"].map((label) => reader.find(Entries, "byLabel", ["a", label])),
  ...["b", "a", "c", "a"].map((id) => reader.range(Entries, "byGroup", { prefix: [id], limit: 2 })),
  ...["b", "a"].map((id) => reader.range(Entries, "byGroup", { prefix: [id], limit: 1 })),
  ...["b", "a"].map((id) => reader.range(Entries, "key", { prefix: [id], limit: 9 })),
  ...["a", "b"].map((id) => reader.range(Entries, "byGroup", { prefix: [id], limit: 2, direction: "descending" })),
  ...[0, 1].map((number) => reader.range(Entries, "key", { prefix: ["a"], after: [number], limit: 9 })),
  ...["a", "b", "c"].map((id) => reader.range(Entries, "key", { prefix: [id], after: [1], limit: 2 })),
  ...(["ascending", "descending"] as const).flatMap((direction) =>
    ["b", "a"].map((id) => reader.range(Entries, "byGroup", { prefix: [id], after: ["g3", 2], limit: 2, direction }))
  ),
  reader.range(Facts, "key", { prefix: [], limit: 2 })
]

/** In a view only. */
const filteredReads = (reader: Reader): ReadonlyArray<Effect.Effect<unknown>> =>
  [["a"], ["a", "b"]].flatMap((among) =>
    ["b", "a", "c"].flatMap((id) => {
      const matching = { related: { table: Accounts, by: "accountId", conditions: [{ column: "id", among }] } }
      return (["ascending", "descending"] as const).flatMap((direction) => [
        reader.range(Entries, "byGroup", { prefix: [id], limit: 2, direction, matching }),
        reader.range(Entries, "byGroup", { prefix: [id], after: ["g3", 2], limit: 2, direction, matching })
      ])
    })
  )

const assertSameResults = (reader: Reader, read = reads) =>
  Effect.gen(function* () {
    const separate = yield* Effect.all(read(reader))
    const combined = yield* Effect.all(read(reader), { concurrency: "unbounded" })
    assert.deepStrictEqual(combined, separate)
  })

export const combinedStatementsContract = (fresh: EmptyStore): void => {
  test(fresh, "Combined reads return the same rows as separate ones.", ({ here }) =>
    Effect.gen(function* () {
      yield* fill(here)
      yield* insertFacts(here, [fact("a"), fact("b", { payload: [1] }), fact("c", { body: "text" })])
      yield* here.view((reader) => assertSameResults(reader))
      yield* here.view((reader) => assertSameResults(reader, filteredReads))
      yield* here.transaction({ locks }, (transaction) => assertSameResults(transaction))
    })
  )

  test(fresh, "Rows written together keep their own values, including null and empty lists.", ({ here }) =>
    Effect.gen(function* () {
      const facts = [
        fact("a", { payload: [], body: null }),
        fact("b", { payload: [[1], { at: null }], body: "" }),
        fact("c", { payload: { list: [] }, body: '{"a",NULL}', isTrue: false })
      ]
      yield* insertFacts(here, facts)
      const found = yield* here.view((reader) => reader.range(Facts, "key", { prefix: [], limit: 9 }))
      assert.deepStrictEqual(found, facts)
      yield* openAccounts(here, accounts)
      yield* here.transaction({ locks }, (transaction) =>
        Effect.gen(function* () {
          yield* transaction.update(Accounts, ["a"], { balance: 1, owner: "one" })
          yield* transaction.update(Accounts, ["b"], { balance: 2, owner: null })
          yield* transaction.update(Accounts, ["c"], { balance: 3, owner: "three" })
          yield* transaction.update(Accounts, ["a"], { balance: 4, owner: null })
        })
      )
      const owners = yield* here.view((reader) => Effect.forEach(accounts, (id) => reader.get(Accounts, [id])))
      assert.deepStrictEqual(
        owners.map((row) => [row?.balance, row?.owner]),
        [
          [4, null],
          [2, null],
          [3, "three"]
        ]
      )
    })
  )

  const failingUpdate = (name: string, extra: (transaction: Transaction) => Effect.Effect<void>) =>
    test(fresh, `Among combined updates, ${name} fails all of them.`, ({ here }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, [...accounts, "other"])
        const exit = yield* Effect.exit(
          here.transaction({ locks: [...locks, project("gone")] }, (transaction) =>
            Effect.gen(function* () {
              yield* transaction.update(Accounts, ["a"], { balance: 1 })
              yield* extra(transaction)
              yield* transaction.update(Accounts, ["b"], { balance: 1 })
            })
          )
        )
        assert.isTrue(Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("no such row"))
        assert.deepStrictEqual(yield* Effect.forEach(accounts, (id) => balanceOf(here, id)), [0, 0, 0])
      })
    )
  failingUpdate("one of a missing row", (transaction) => transaction.update(Accounts, ["gone"], { balance: 1 }))
  failingUpdate("one of a row without its lock", (transaction) =>
    transaction.update(Accounts, ["other"], { balance: 1 })
  )
}
