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
  const options = { connection, tables: contractTables, rootTables: { project: Accounts }, schemaWanted: 0 }
  const store = Context.get(yield* Layer.build(layer(options)), Storage)
  yield* store.transaction({ roots: [] }, (transaction) =>
    Effect.forEach(["0", "1", "2", "3"], (id) =>
      transaction.insert(Accounts, { id, balance: 0, paused: false, owner: null })
    )
  )
  return { proxy, store }
})

/** Adds one to an account, with or without a row beside it that proves the commit. */
const addOne = (store: Storage["Service"], id: string, factId: string | undefined, ran = { times: 0, woken: 0 }) =>
  store.transaction({ roots: [exclusive("project", id)] }, (transaction) =>
    Effect.gen(function* () {
      ran.times += 1
      yield* transaction.afterCommit(Effect.sync(() => void (ran.woken += 1)))
      const row = yield* transaction.get(Accounts, [id])
      yield* transaction.update(Accounts, [id], { balance: row!.balance + 1 })
      if (factId !== undefined) yield* transaction.insert(Facts, fact(factId))
      return row!.balance + 1
    })
  )

for (const cut of cuts) {
  for (const kind of ["with", "without"]) {
    it.live(`cut ${cut} COMMIT, ${kind} a row that proves it: one effect and the right answer`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { proxy, store } = yield* behindProxy
          let left = 1
          proxy.next = () => (left-- > 0 ? cut : undefined)
          const ran = { times: 0, woken: 0 }
          assert.strictEqual(yield* addOne(store, "0", kind === "with" ? "f" : undefined, ran), 1)
          assert.strictEqual(proxy.made[cut], 1)
          assert.strictEqual(ran.woken, 1, "what waits for the commit is woken for the attempt that was committed")
          if (cut === "after") assert.strictEqual(ran.times, 1)
          else if (cut !== "during") assert.strictEqual(ran.times, 2)
          assert.strictEqual(yield* addOne(store, "0", undefined), 2)
        })
      )
    )
  }
}

it.live("120 cuts under load: every command has one effect, and its answer is right", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { proxy, store } = yield* behindProxy
      let commits = 0
      let made = 0
      proxy.next = () => {
        commits += 1
        // Twelve of every seventeen go through: a command cut eleven times in a row would rightly be given up.
        const cut = cuts[commits % 17]
        if (cut === undefined || made >= 120) return undefined
        made += 1
        return cut
      }
      const answers = new Map<string, Array<number>>()
      const work = (id: string) =>
        Effect.gen(function* () {
          const seen: Array<number> = []
          answers.set(id, seen)
          while (made < 120) {
            seen.push(yield* addOne(store, id, seen.length % 2 === 0 ? `${id} ${seen.length}` : undefined))
          }
        })
      yield* Effect.forEach(["0", "1", "2", "3"], work, { concurrency: "unbounded" })
      for (const [id, seen] of answers) {
        assert.deepStrictEqual(
          seen,
          Array.from(seen, (_, index) => index + 1)
        )
        const account = yield* store.view((reader) => reader.get(Accounts, [id]))
        assert.strictEqual(account?.balance, seen.length)
      }
      const proofs = yield* store.view((reader) => reader.range(Facts, "key", { prefix: [], limit: 10_000 }))
      const expected = [...answers.values()].reduce((sum, seen) => sum + Math.ceil(seen.length / 2), 0)
      assert.strictEqual(proofs.length, expected)
      assert.strictEqual(
        Object.values(proxy.made).reduce((sum, count) => sum + count),
        120
      )
    })
  )
)
