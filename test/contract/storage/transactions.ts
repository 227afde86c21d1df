/** All or nothing, and nothing of what concurrent transactions must not do to each other. */
import type { Reader } from "../../../src/ports/storage.ts"
import { assert } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { Accounts, Entries, Facts, Replays } from "../tables.ts"
import { addOne, balanceOf, defectOf, messageOf, openAccounts, project, test, type Fresh } from "./processes.ts"

export const transactionContract = (fresh: Fresh): void => {
  test(fresh, "a refusal leaves nothing behind", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const refused = yield* Effect.exit(
        here.transaction({ roots: [project("a")] }, (transaction) =>
          Effect.gen(function* () {
            yield* transaction.update(Accounts, ["a"], { balance: 7 })
            yield* transaction.get(Accounts, ["a"])
            return yield* Effect.fail("refused" as const)
          })
        )
      )
      assert.deepStrictEqual(refused, Exit.fail("refused"))
      assert.strictEqual(yield* balanceOf(here, "a"), 0)
    })
  )

  test(fresh, "a body that throws before it is an effect leaves nothing behind either", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const thrown = new Error("thrown")
      const told = yield* defectOf(here, { roots: [project("a")] }, () => {
        throw thrown
      })
      assert.strictEqual(told, "thrown")
      assert.strictEqual(yield* addOne(there, "a"), 1)
      assert.strictEqual(yield* balanceOf(here, "a"), 1)
    })
  )

  test(fresh, "an interruption leaves nothing behind, and nobody waits for it", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const reached = yield* Deferred.make<void>()
      const stuck = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
      const fiber = yield* Effect.forkChild(addOne(here, "a", stuck))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* addOne(there, "a"), 1)
      assert.strictEqual(yield* addOne(here, "a"), 2)
    })
  )

  test(fresh, "concurrent increments are all counted", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const both = [here, there].flatMap((store) => Array.from({ length: 15 }, () => addOne(store, "a")))
      const seen = yield* Effect.all(both, { concurrency: "unbounded" })
      assert.strictEqual(yield* balanceOf(here, "a"), 30)
      assert.strictEqual(new Set(seen).size, 30)
    })
  )

  test(fresh, "two that each take from one of two accounts keep their sum (write skew)", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a", "b"], 50)
      const take = (store: typeof here, from: string) =>
        store.transaction({ roots: [project("a"), project("b")] }, (transaction) =>
          Effect.gen(function* () {
            const a = yield* transaction.get(Accounts, ["a"])
            const b = yield* transaction.get(Accounts, ["b"])
            const balance = from === "a" ? a!.balance : b!.balance
            if (a!.balance + b!.balance >= 100) yield* transaction.update(Accounts, [from], { balance: balance - 80 })
          })
        )
      yield* Effect.all([take(here, "a"), take(there, "b")], { concurrency: "unbounded" })
      assert.strictEqual((yield* balanceOf(here, "a"))! + (yield* balanceOf(here, "b"))!, 20)
    })
  )

  test(fresh, "a row that appears under a held root is not missed (phantom)", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const append = (store: typeof here, label: string) =>
        store.transaction({ roots: [project("a")] }, (transaction) =>
          Effect.gen(function* () {
            const entries = yield* transaction.range(Entries, "key", { prefix: ["a"], limit: 100 })
            const number = entries.length + 1
            yield* transaction.insert(Entries, { accountId: "a", number, label, group: "g" })
          })
        )
      const all = Array.from({ length: 10 }, (_, index) => append(index % 2 === 0 ? here : there, `label ${index}`))
      yield* Effect.all(all, { concurrency: "unbounded" })
      const entries = yield* here.view((reader) => reader.range(Entries, "key", { prefix: ["a"], limit: 100 }))
      assert.deepStrictEqual(
        entries.map((entry) => entry.number),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
      )
    })
  )

  test(fresh, "a view sees one moment", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const torn = yield* here.view((reader) =>
        Effect.gen(function* () {
          const before = yield* reader.get(Accounts, ["a"])
          // Another fiber's transaction, outside of this view.
          yield* Effect.promise(() => Effect.runPromise(addOne(there, "a")))
          const after = yield* reader.get(Accounts, ["a"])
          return [before!.balance, after!.balance]
        })
      )
      assert.deepStrictEqual(torn, [0, 0])
      assert.strictEqual(yield* balanceOf(here, "a"), 1)
    })
  )

  test(fresh, "a transaction reads what it wrote, in every way of reading", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      yield* here.transaction({ roots: [project("a")] }, (transaction) =>
        Effect.gen(function* () {
          yield* transaction.update(Accounts, ["a"], { balance: 5, owner: "me" })
          assert.deepStrictEqual(yield* transaction.get(Accounts, ["a"]), {
            id: "a",
            balance: 5,
            paused: false,
            owner: "me"
          })
          yield* transaction.insert(Entries, { accountId: "a", number: 1, label: "one", group: "g" })
          yield* transaction.insert(Entries, { accountId: "a", number: 2, label: "two", group: "g" })
          yield* transaction.remove(Entries, ["a", 1])
          assert.strictEqual((yield* transaction.find(Entries, "byLabel", ["a", "two"]))?.number, 2)
          assert.strictEqual(yield* transaction.find(Entries, "byLabel", ["a", "one"]), undefined)
          const left = yield* transaction.range(Entries, "byGroup", { prefix: ["a", "g"], limit: 5 })
          assert.deepStrictEqual(
            left.map((entry) => entry.number),
            [2]
          )
          yield* transaction.insert(Entries, { accountId: "a", number: 1, label: "again", group: "g" })
        })
      )
      const entries = yield* here.view((reader) => reader.range(Entries, "key", { prefix: ["a"], limit: 5 }))
      assert.deepStrictEqual(
        entries.map((entry) => entry.label),
        ["again", "two"]
      )
    })
  )

  test(fresh, "many writes, and several to one row, take effect in their order", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      yield* here.transaction({ roots: [project("a")] }, (transaction) =>
        Effect.gen(function* () {
          for (let number = 1; number <= 130; number++) {
            yield* transaction.insert(Entries, { accountId: "a", number, label: `${number}`, group: "g" })
          }
          yield* transaction.update(Entries, ["a", 130], { label: "later" })
          yield* transaction.update(Entries, ["a", 130], { label: "last" })
          yield* transaction.remove(Entries, ["a", 1])
          yield* transaction.insert(Entries, { accountId: "a", number: 1, label: "130", group: "g" })
          yield* transaction.update(Accounts, ["a"], { balance: 1 })
          yield* transaction.update(Accounts, ["a"], { balance: 2, paused: true })
        })
      )
      const entries = yield* here.view((reader) => reader.range(Entries, "key", { prefix: ["a"], limit: 200 }))
      const labels = entries.map((entry) => entry.label)
      assert.deepStrictEqual([labels.length, labels[0], labels[1], labels.at(-1)], [130, "130", "2", "last"])
      assert.strictEqual(yield* balanceOf(here, "a"), 2)
    })
  )

  test(fresh, "removing what is not there is no failure", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      yield* here.transaction({ roots: [project("a")] }, (transaction) => transaction.remove(Entries, ["a", 9]))
    })
  )

  const ways = {
    "a replay key": {
      row: () => ({ id: "request", place: "here" }),
      find: (reader: Reader) => reader.get(Replays, ["request"])
    },
    "a place in a unique index of such a table": {
      row: (id: string) => ({ id, place: "here" }),
      find: (reader: Reader) => reader.find(Replays, "byPlace", ["here"])
    }
  }
  for (const [what, { row, find }] of Object.entries(ways)) {
    test(fresh, `of two that race for ${what}, the loser runs again and finds the winner`, ({ here, there }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a", "b"])
        const once = (store: typeof here, id: string) =>
          store.transaction({ roots: [project(id)] }, (transaction) =>
            Effect.gen(function* () {
              const earlier = yield* find(transaction)
              if (earlier !== undefined) return earlier.answer
              yield* transaction.update(Accounts, [id], { balance: 1 })
              yield* transaction.insert(Replays, { ...row(id), answer: id })
              return id
            })
          )
        const answers = yield* Effect.all([once(here, "a"), once(there, "b"), once(here, "b"), once(there, "a")], {
          concurrency: "unbounded"
        })
        assert.strictEqual(new Set(answers).size, 1)
        assert.strictEqual((yield* balanceOf(here, "a"))! + (yield* balanceOf(here, "b"))!, 1)
      })
    )
  }

  test(fresh, "a second row for any other key is a defect that names the table", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      assert.include(messageOf(yield* Effect.exit(openAccounts(here, ["a"]))), "accounts")
      const entry = { accountId: "a", number: 1, label: "same", group: "g" }
      const told = yield* defectOf(here, { roots: [project("a")] }, (transaction) =>
        Effect.andThen(transaction.insert(Entries, entry), transaction.insert(Entries, { ...entry, number: 2 }))
      )
      assert.include(told, "entries")
      const entries = yield* here.view((reader) => reader.range(Entries, "key", { prefix: ["a"], limit: 5 }))
      assert.strictEqual(entries.length, 0)
    })
  )

  test(fresh, "reading a duplicate before the commit fails in the same way", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const told = yield* defectOf(here, { roots: [] }, (transaction) =>
        Effect.andThen(
          transaction.insert(Accounts, { id: "a", balance: 1, paused: false, owner: null }),
          Effect.ignoreCause(transaction.get(Accounts, ["a"]))
        )
      )
      assert.include(told, "accounts")
      assert.strictEqual(yield* balanceOf(here, "a"), 0)
    })
  )

  test(fresh, "a reader that follows numbers given under a lock misses no late commit", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const append = (store: typeof here, label: string) =>
        store.transaction({ roots: [project("a")] }, (transaction) =>
          Effect.gen(function* () {
            const [last] = yield* transaction.range(Entries, "key", {
              prefix: ["a"],
              limit: 1,
              direction: "descending"
            })
            yield* transaction.insert(Entries, {
              accountId: "a",
              number: (last?.number ?? 0) + 1,
              label,
              group: "g"
            })
          })
        )
      const seen: Array<string> = []
      let cursor = 0
      const follow = Effect.gen(function* () {
        const page = yield* here.view((reader) =>
          reader.range(Entries, "key", { prefix: ["a"], after: [cursor], limit: 3 })
        )
        seen.push(...page.map((entry) => entry.label))
        cursor = page.at(-1)?.number ?? cursor
      })
      const writers = Array.from({ length: 20 }, (_, index) => append(index % 2 === 0 ? here : there, `${index}`))
      const writing = yield* Effect.forkChild(Effect.all(writers, { concurrency: "unbounded" }))
      while (writing.pollUnsafe() === undefined) yield* follow
      yield* Fiber.join(writing)
      for (let page = 0; page < 8; page++) yield* follow
      assert.deepStrictEqual(
        [...seen].map(Number).toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, i) => i)
      )
    })
  )

  test(fresh, "a body that only reads commits nothing and answers", ({ here }) =>
    Effect.gen(function* () {
      const answer = yield* here.transaction({ roots: [] }, (transaction) => transaction.get(Facts, ["none"]))
      assert.strictEqual(answer, undefined)
    })
  )
}
