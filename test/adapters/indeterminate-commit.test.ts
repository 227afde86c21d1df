import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { layer } from "../../src/adapters/postgres-storage/layer.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { Accounts, contractSchema, contractTables, Facts } from "../contract/tables.ts"
import { fact } from "../contract/storage/ranges.ts"
import { freshDatabase } from "../support/postgres.ts"
import { cuts, startProxy } from "../support/proxy.ts"

const behindProxy = Effect.gen(function* () {
  const proxy = yield* startProxy(yield* freshDatabase(contractSchema))
  const { connection } = proxy
  const options = {
    connection,
    tables: contractTables,
    lockTables: { project: Accounts },
    schema: { oldest: 0, newest: 0 }
  }
  const store = Context.get(yield* Layer.build(layer(options)), Storage)
  yield* store.transaction({ locks: [] }, (transaction) =>
    Effect.forEach(["0", "1", "2", "3"], (id) =>
      transaction.insert(Accounts, { id, balance: 0, paused: false, owner: null })
    )
  )
  return { proxy, store }
})

/** Adds one to an account, with or without a row that proves the commit. */
const addOne = (store: Storage["Service"], id: string, factId: string | undefined, counts = { times: 0, woken: 0 }) =>
  store.transaction({ locks: [exclusive("project", id)] }, (transaction) =>
    Effect.gen(function* () {
      counts.times += 1
      yield* transaction.afterCommit(Effect.sync(() => void (counts.woken += 1)))
      const row = yield* transaction.get(Accounts, [id])
      yield* transaction.update(Accounts, [id], { balance: row!.balance + 1 })
      if (factId !== undefined) yield* transaction.insert(Facts, fact(factId))
      return row!.balance + 1
    })
  )

for (const cut of cuts) {
  for (const kind of ["with", "without"]) {
    it.live(
      `A connection cut ${cut} COMMIT, ${kind} a row that proves it, yields one effect and the right response.`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const { proxy, store } = yield* behindProxy
            let left = 1
            proxy.chooseCut = () => (left-- > 0 ? cut : undefined)
            const counts = { times: 0, woken: 0 }
            assert.strictEqual(yield* addOne(store, "0", kind === "with" ? "f" : undefined, counts), 1)
            assert.strictEqual(proxy.cutCounts[cut], 1)
            assert.strictEqual(counts.woken, 1, "after-commit actions run for the committed attempt")
            if (cut === "after") assert.strictEqual(counts.times, 1)
            else if (cut !== "during") assert.strictEqual(counts.times, 2)
            assert.strictEqual(yield* addOne(store, "0", undefined), 2)
          })
        )
    )
  }
}

it.live("With 120 connections cut under load, every command has one effect and the right response.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { proxy, store } = yield* behindProxy
      let commits = 0
      let cutCount = 0
      proxy.chooseCut = () => {
        commits += 1
        // Twelve of seventeen commits succeed: a command cut eleven times in a row would rightly be given up.
        const cut = cuts[commits % 17]
        if (cut === undefined || cutCount >= 120) return undefined
        cutCount += 1
        return cut
      }
      const answers = new Map<string, Array<number>>()
      const work = (id: string) =>
        Effect.gen(function* () {
          const balances: Array<number> = []
          answers.set(id, balances)
          while (cutCount < 120) {
            balances.push(yield* addOne(store, id, balances.length % 2 === 0 ? `${id} ${balances.length}` : undefined))
          }
        })
      yield* Effect.forEach(["0", "1", "2", "3"], work, { concurrency: "unbounded" })
      for (const [id, balances] of answers) {
        assert.deepStrictEqual(
          balances,
          Array.from(balances, (_, index) => index + 1)
        )
        const account = yield* store.view((reader) => reader.get(Accounts, [id]))
        assert.strictEqual(account?.balance, balances.length)
      }
      const proofs = yield* store.view((reader) => reader.range(Facts, "key", { prefix: [], limit: 10_000 }))
      const expected = [...answers.values()].reduce((sum, balances) => sum + Math.ceil(balances.length / 2), 0)
      assert.strictEqual(proofs.length, expected)
      assert.strictEqual(
        Object.values(proxy.cutCounts).reduce((sum, count) => sum + count),
        120
      )
    })
  )
)
