/** Atomicity and isolation: lost updates, write skew, phantoms and torn reads do not occur. */
import { exclusive, type Reader } from "../../../src/ports/storage.ts"
import { assert } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { Accounts, Entries, Facts, Replays } from "../tables.ts"
import { addOne, balanceOf, defectOf, messageOf, openAccounts, project, test, type EmptyStore } from "./processes.ts"

export const transactionContract = (fresh: EmptyStore): void => {
  test(fresh, "A refused transaction has no effect.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const refused = yield* Effect.exit(
        here.transaction({ locks: [project("a")] }, (transaction) =>
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

  test(fresh, "An erasure overwrites its columns of an append-only row under its lock.", ({ here, there }) =>
    Effect.gen(function* () {
      const row = { id: "r", place: "p", answer: "a name" }
      yield* here.transaction({ locks: [] }, (transaction) => transaction.insert(Replays, row))
      yield* here.transaction({ locks: [exclusive("counter", "r")] }, (transaction) =>
        transaction.update(Replays, ["r"], { answer: "erased" })
      )
      const found = yield* there.view((reader) => reader.get(Replays, ["r"]))
      assert.deepStrictEqual(found, { ...row, answer: "erased" })
    })
  )

  test(fresh, "A body that throws synchronously has no effect.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const thrown = new Error("thrown")
      const message = yield* defectOf(here, { locks: [project("a")] }, () => {
        throw thrown
      })
      assert.strictEqual(message, "thrown")
      assert.strictEqual(yield* addOne(there, "a"), 1)
      assert.strictEqual(yield* balanceOf(here, "a"), 1)
    })
  )

  test(fresh, "An interrupted transaction has no effect and releases its locks.", ({ here, there }) =>
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

  test(fresh, "Concurrent increments are all counted (lost update).", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const increments = [here, there].flatMap((store) => Array.from({ length: 15 }, () => addOne(store, "a")))
      const seen = yield* Effect.all(increments, { concurrency: "unbounded" })
      assert.strictEqual(yield* balanceOf(here, "a"), 30)
      assert.strictEqual(new Set(seen).size, 30)
    })
  )

  test(
    fresh,
    "Two transactions that each debit one of two accounts preserve the constraint on their sum (write skew).",
    ({ here, there }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a", "b"], 50)
        const take = (store: typeof here, from: string) =>
          store.transaction({ locks: [project("a"), project("b")] }, (transaction) =>
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

  test(fresh, "No row appears in a range under a held lock (phantom).", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const append = (store: typeof here, label: string) =>
        store.transaction({ locks: [project("a")] }, (transaction) =>
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

  test(fresh, "A view reads one snapshot.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const balances = yield* here.view((reader) =>
        Effect.gen(function* () {
          const before = yield* reader.get(Accounts, ["a"])
          // The transaction of another fiber, outside of this view.
          yield* Effect.promise(() => Effect.runPromise(addOne(there, "a")))
          const after = yield* reader.get(Accounts, ["a"])
          return [before!.balance, after!.balance]
        })
      )
      assert.deepStrictEqual(balances, [0, 0])
      assert.strictEqual(yield* balanceOf(here, "a"), 1)
    })
  )

  test(fresh, "A transaction reads its own writes with every kind of read.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      yield* here.transaction({ locks: [project("a")] }, (transaction) =>
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

  test(fresh, "Many writes, including several to one row, take effect in order.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      yield* here.transaction({ locks: [project("a")] }, (transaction) =>
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

  test(fresh, "Removing a missing row succeeds.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      yield* here.transaction({ locks: [project("a")] }, (transaction) => transaction.remove(Entries, ["a", 9]))
    })
  )

  const racedKeys = {
    "a replay key": {
      row: () => ({ id: "request", place: "here" }),
      find: (reader: Reader) => reader.get(Replays, ["request"])
    },
    "a unique index of a raced table": {
      row: (id: string) => ({ id, place: "here" }),
      find: (reader: Reader) => reader.find(Replays, "byPlace", ["here"])
    }
  }
  for (const [what, { row, find }] of Object.entries(racedKeys)) {
    test(
      fresh,
      `Of transactions that race for ${what}, the loser is retried and finds the winner's row.`,
      ({ here, there }) =>
        Effect.gen(function* () {
          yield* openAccounts(here, ["a", "b"])
          const once = (store: typeof here, id: string) =>
            store.transaction({ locks: [project(id)] }, (transaction) =>
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

  test(fresh, "A second row for a key that is not raced is a defect that names the table.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      assert.include(messageOf(yield* Effect.exit(openAccounts(here, ["a"]))), "accounts")
      const entry = { accountId: "a", number: 1, label: "same", group: "g" }
      const message = yield* defectOf(here, { locks: [project("a")] }, (transaction) =>
        Effect.andThen(transaction.insert(Entries, entry), transaction.insert(Entries, { ...entry, number: 2 }))
      )
      assert.include(message, "entries")
      const entries = yield* here.view((reader) => reader.range(Entries, "key", { prefix: ["a"], limit: 5 }))
      assert.strictEqual(entries.length, 0)
    })
  )

  test(fresh, "A duplicate that is read before the commit is the same defect.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const message = yield* defectOf(here, { locks: [] }, (transaction) =>
        Effect.andThen(
          transaction.insert(Accounts, { id: "a", balance: 1, paused: false, owner: null }),
          Effect.ignoreCause(transaction.get(Accounts, ["a"]))
        )
      )
      assert.include(message, "accounts")
      assert.strictEqual(yield* balanceOf(here, "a"), 0)
    })
  )

  test(fresh, "A reader that follows numbers assigned under a lock misses no late commit.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const append = (store: typeof here, label: string) =>
        store.transaction({ locks: [project("a")] }, (transaction) =>
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

  test(fresh, "A transaction that only reads returns its result.", ({ here }) =>
    Effect.gen(function* () {
      const answer = yield* here.transaction({ locks: [] }, (transaction) => transaction.get(Facts, ["none"]))
      assert.strictEqual(answer, undefined)
    })
  )
}
