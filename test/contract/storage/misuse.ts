/** A violation of the lock discipline is a defect that names the table and the lock, and has no effect. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { exclusive, shared, type LockPlan, type Transaction } from "../../../src/ports/storage.ts"
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { Accounts, Entries, Facts, Jobs, Keys, Movements, Readings, Replays } from "../tables.ts"
import { balanceOf, defectOf, messageOf, openAccounts, project, test, type EmptyStore } from "./processes.ts"

const someInstant = fromMilliseconds(Date.UTC(2026, 10, 21))
const entry = { accountId: "a", number: 1, label: "l", group: "g" }

const misuses: ReadonlyArray<{
  readonly name: string
  readonly plan?: LockPlan
  readonly body: (transaction: Transaction) => Effect.Effect<unknown>
  readonly expected: ReadonlyArray<string>
}> = [
  {
    name: "Reading a row without its lock",
    body: (transaction) => transaction.get(Accounts, ["a"]),
    expected: ["accounts", "project a", "not held"]
  },
  {
    name: "Finding a row without its lock",
    body: (transaction) => transaction.find(Entries, "byLabel", ["a", "none"]),
    expected: ["entries", "project a", "not held"]
  },
  {
    name: "Reading a range without its lock",
    plan: { locks: [project("b")] },
    body: (transaction) => transaction.range(Entries, "byGroup", { prefix: ["a"], limit: 1 }),
    expected: ["entries", "project a", "not held"]
  },
  {
    name: "Reading a range with rows of another lock",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.range(Accounts, "key", { prefix: [], limit: 10 }),
    expected: ["accounts", "project b", "not held"]
  },
  {
    name: "Reading a filtered range",
    body: (transaction) =>
      transaction.range(Facts, "key", {
        prefix: [],
        limit: 1,
        matching: { own: [{ column: "id", among: ["a"] }] }
      }),
    expected: ["facts", "filtered", "transaction"]
  },
  {
    name: "Filtering by a table whose key has several columns",
    plan: { locks: [project("a")] },
    body: (transaction) =>
      transaction.hints.range(Facts, "key", {
        prefix: [],
        limit: 1,
        matching: {
          related: { table: Entries, by: "id", conditions: [{ column: "label", among: ["a"] }] }
        }
      }),
    expected: ["facts", "entries", "key of one column"]
  },
  {
    name: "Reading a row before its deferred lock is taken",
    plan: { locks: [], deferred: [project("a")] },
    body: (transaction) => transaction.get(Accounts, ["a"]),
    expected: ["accounts", "project a", "not held"]
  },
  {
    name: "Updating a row under a shared lock",
    plan: { locks: [shared("grant", "k")] },
    body: (transaction) => transaction.update(Keys, ["k"], { revoked: true }),
    expected: ["keys", "exclusive grant"]
  },
  {
    name: "Inserting a row under a shared lock",
    plan: { locks: [shared("grant", "new")] },
    body: (transaction) => transaction.insert(Keys, { id: "new", revoked: false }),
    expected: ["keys", "grant new", "held shared"]
  },
  {
    name: "Inserting a row without its lock",
    body: (transaction) => transaction.insert(Entries, entry),
    expected: ["entries", "project a", "not held"]
  },
  {
    name: "Updating a missing row",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.update(Entries, ["a", 5], { label: "x" }),
    expected: ["entries", "no such row"]
  },
  {
    name: "Updating a row of another lock",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.update(Accounts, ["b"], { balance: 9 }),
    expected: ["accounts", "no such row"]
  },
  {
    name: "Removing a row of another lock",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.remove(Accounts, ["b"]),
    expected: ["accounts", "no such row"]
  },
  {
    name: "Updating a row that proves a commit",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.update(Movements, ["a", 1], { hash: "other" }),
    expected: ["movements", "append-only"]
  },
  {
    name: "Updating an append-only row",
    body: (transaction) => transaction.update(Facts, ["f"], { count: 2 }),
    expected: ["facts", "append-only"]
  },
  {
    name: "Overwriting more of an append-only row than an erasure may",
    plan: { locks: [exclusive("counter", "r")] },
    body: (transaction) => transaction.update(Replays, ["r"], { place: "p", answer: "erased" }),
    expected: ["replays", "append-only"]
  },
  {
    name: "Erasing without the lock of the erasure",
    body: (transaction) => transaction.update(Replays, ["r"], { answer: "erased" }),
    expected: ["replays", "counter"]
  },
  {
    name: "Erasing a row under the lock of another one",
    plan: { locks: [exclusive("counter", "q")] },
    body: (transaction) => transaction.update(Replays, ["r"], { answer: "erased" }),
    expected: ["replays", "no such row"]
  },
  {
    name: "Removing an append-only row that an erasure may overwrite",
    plan: { locks: [exclusive("counter", "r")] },
    body: (transaction) => transaction.remove(Replays, ["r"]),
    expected: ["replays", "append-only"]
  },
  {
    name: "Updating a key",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.update(Accounts, ["a"], { id: "c" }),
    expected: ["accounts.id", "never changes"]
  },
  {
    name: "Updating the column by which a table is partitioned",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.update(Readings, ["a", 1, fromMilliseconds(1)], { at: fromMilliseconds(2) }),
    expected: ["readings.at", "never changes"]
  },
  {
    name: "Updating a row of a partitioned table by its key alone",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.update(Readings, ["a", 1], { value: 2 }),
    expected: ["readings", "2 values for 3 columns"]
  },
  {
    name: "Taking a lock that is not in the plan",
    body: (transaction) => transaction.lock(project("a")),
    expected: ["project a", "deferred"]
  },
  {
    name: "Taking locks out of order",
    plan: { locks: [], deferred: [project("a"), exclusive("grant", "k")] },
    body: (transaction) => Effect.andThen(transaction.lock(project("a")), transaction.lock(exclusive("grant", "k"))),
    expected: ["grant k", "project a", "order"]
  },
  {
    name: "Taking a lock after the time was read",
    plan: { locks: [], deferred: [project("a")] },
    body: (transaction) => Effect.andThen(transaction.now, transaction.lock(project("a"))),
    expected: ["project a", "time"]
  },
  {
    name: "Upgrading a shared lock",
    plan: { locks: [shared("grant", "k")], deferred: [exclusive("grant", "k")] },
    body: (transaction) => transaction.lock(exclusive("grant", "k")),
    expected: ["grant k", "shared"]
  },
  {
    name: "A key with too few values",
    plan: { locks: [project("a")] },
    body: (transaction) => transaction.get(Entries, ["a"]),
    expected: ["entries", "1 values for 2 columns"]
  },
  {
    name: "A negative limit",
    body: (transaction) => transaction.range(Facts, "key", { prefix: [], limit: -1 }),
    expected: ["facts", "limit"]
  }
]

export const misuseContract = (fresh: EmptyStore): void => {
  for (const { name, plan, body, expected } of misuses) {
    test(fresh, `${name} is a defect.`, ({ here }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a", "b"])
        yield* here.transaction({ locks: [] }, (transaction) => transaction.insert(Keys, { id: "k", revoked: false }))
        const message = yield* defectOf(here, plan ?? { locks: [] }, (transaction) =>
          Effect.andThen(
            transaction.insert(Jobs, { id: "left behind", dueAt: someInstant, leasedUntil: null, token: null }),
            body(transaction)
          )
        )
        for (const text of expected) assert.include(message, text)
        assert.strictEqual(yield* here.view((reader) => reader.get(Jobs, ["left behind"])), undefined)
        assert.strictEqual(yield* balanceOf(here, "b"), 0)
      })
    )
  }

  test(fresh, "Starting an operation inside a transaction or view is a defect.", ({ here, there }) =>
    Effect.gen(function* () {
      const inner = [
        here.transaction({ locks: [] }, () => Effect.void),
        there.view(() => Effect.void),
        here.claim(Jobs, { dueBy: someInstant, leaseUntil: someInstant, token: "t", limit: 1 }),
        here.health
      ]
      for (const operation of inner) {
        const nested = yield* Effect.exit(here.transaction({ locks: [] }, () => operation))
        assert.include(messageOf(nested), "inside a transaction")
        const inView = yield* Effect.exit(here.view(() => operation))
        assert.include(messageOf(inView), "inside a transaction")
      }
    })
  )

  test(fresh, "Inserting a lock row also takes its lock.", ({ here }) =>
    Effect.gen(function* () {
      yield* here.transaction({ locks: [] }, (transaction) =>
        Effect.gen(function* () {
          yield* transaction.insert(Accounts, { id: "a", balance: 1, paused: false, owner: null })
          yield* transaction.insert(Entries, entry)
          assert.deepStrictEqual(yield* transaction.get(Entries, ["a", 1]), entry)
          yield* transaction.update(Accounts, ["a"], { balance: 2 })
        })
      )
      assert.strictEqual(yield* balanceOf(here, "a"), 2)
    })
  )

  test(fresh, "A lock named twice is taken once, in the stronger mode.", ({ here }) =>
    Effect.gen(function* () {
      yield* here.transaction(
        { locks: [project("b"), exclusive("grant", "k"), project("a"), shared("grant", "k"), project("a")] },
        (transaction) =>
          Effect.andThen(transaction.insert(Keys, { id: "k", revoked: false }), transaction.lock(project("a")))
      )
    })
  )
}
