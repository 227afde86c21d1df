/** What breaks the lock discipline dies, with the table and the root in its words, and leaves nothing behind. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { exclusive, shared, type Plan, type Transaction } from "../../../src/ports/storage.ts"
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { Accounts, Entries, Facts, Jobs, Keys } from "../tables.ts"
import { balanceOf, defectOf, messageOf, openAccounts, project, test, type Fresh } from "./processes.ts"

const someInstant = fromMilliseconds(Date.UTC(2026, 10, 21))
const entry = { accountId: "a", number: 1, label: "l", group: "g" }

const misuses: ReadonlyArray<{
  readonly name: string
  readonly plan?: Plan
  readonly body: (transaction: Transaction) => Effect.Effect<unknown>
  readonly says: ReadonlyArray<string>
}> = [
  {
    name: "reading a row whose root is not held",
    body: (transaction) => transaction.get(Accounts, ["a"]),
    says: ["accounts", "project a", "not held"]
  },
  {
    name: "looking for a row under a root that is not held",
    body: (transaction) => transaction.find(Entries, "byLabel", ["a", "none"]),
    says: ["entries", "project a", "not held"]
  },
  {
    name: "a range under a root that is not held",
    plan: { roots: [project("b")] },
    body: (transaction) => transaction.range(Entries, "byGroup", { prefix: ["a"], limit: 1 }),
    says: ["entries", "project a", "not held"]
  },
  {
    name: "a range over rows of more roots than are held",
    plan: { roots: [project("a")] },
    body: (transaction) => transaction.range(Accounts, "key", { prefix: [], limit: 10 }),
    says: ["accounts", "project b", "not held"]
  },
  {
    name: "reading before the deferred root is locked",
    plan: { roots: [], deferred: [project("a")] },
    body: (transaction) => transaction.get(Accounts, ["a"]),
    says: ["accounts", "project a", "not held"]
  },
  {
    name: "writing under a root that is held shared",
    plan: { roots: [shared("grant", "k")] },
    body: (transaction) => transaction.update(Keys, ["k"], { revoked: true }),
    says: ["keys", "exclusive grant"]
  },
  {
    name: "inserting under a root that is held shared",
    plan: { roots: [shared("grant", "new")] },
    body: (transaction) => transaction.insert(Keys, { id: "new", revoked: false }),
    says: ["keys", "grant new", "held shared"]
  },
  {
    name: "inserting under a root that is not held",
    body: (transaction) => transaction.insert(Entries, entry),
    says: ["entries", "project a", "not held"]
  },
  {
    name: "changing a row that is not there",
    plan: { roots: [project("a")] },
    body: (transaction) => transaction.update(Entries, ["a", 5], { label: "x" }),
    says: ["entries", "no such row"]
  },
  {
    name: "changing a row of another root",
    plan: { roots: [project("a")] },
    body: (transaction) => transaction.update(Accounts, ["b"], { balance: 9 }),
    says: ["accounts", "no such row"]
  },
  {
    name: "removing a row of another root",
    plan: { roots: [project("a")] },
    body: (transaction) => transaction.remove(Accounts, ["b"]),
    says: ["accounts", "no such row"]
  },
  {
    name: "changing a row that is append-only",
    body: (transaction) => transaction.update(Facts, ["f"], { count: 2 }),
    says: ["facts", "append-only"]
  },
  {
    name: "changing a key",
    plan: { roots: [project("a")] },
    body: (transaction) => transaction.update(Accounts, ["a"], { id: "c" }),
    says: ["accounts.id", "never changes"]
  },
  {
    name: "locking a root that the plan does not name",
    body: (transaction) => transaction.lock(project("a")),
    says: ["project a", "deferred"]
  },
  {
    name: "locking against the order of roots",
    plan: { roots: [], deferred: [project("a"), exclusive("grant", "k")] },
    body: (transaction) => Effect.andThen(transaction.lock(project("a")), transaction.lock(exclusive("grant", "k"))),
    says: ["grant k", "project a", "order"]
  },
  {
    name: "locking after the time was read",
    plan: { roots: [], deferred: [project("a")] },
    body: (transaction) => Effect.andThen(transaction.now, transaction.lock(project("a"))),
    says: ["project a", "time"]
  },
  {
    name: "making a shared root exclusive",
    plan: { roots: [shared("grant", "k")], deferred: [exclusive("grant", "k")] },
    body: (transaction) => transaction.lock(exclusive("grant", "k")),
    says: ["grant k", "shared"]
  },
  {
    name: "a key with a value too few",
    plan: { roots: [project("a")] },
    body: (transaction) => transaction.get(Entries, ["a"]),
    says: ["entries", "1 values for 2 columns"]
  },
  {
    name: "a negative limit",
    body: (transaction) => transaction.range(Facts, "key", { prefix: [], limit: -1 }),
    says: ["facts", "limit"]
  }
]

export const misuseContract = (fresh: Fresh): void => {
  for (const { name, plan, body, says } of misuses) {
    test(fresh, `${name} is a defect`, ({ here }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a", "b"])
        yield* here.transaction({ roots: [] }, (transaction) => transaction.insert(Keys, { id: "k", revoked: false }))
        const told = yield* defectOf(here, plan ?? { roots: [] }, (transaction) =>
          Effect.andThen(
            transaction.insert(Jobs, { id: "left behind", dueAt: someInstant, leasedUntil: null, token: null }),
            body(transaction)
          )
        )
        for (const words of says) assert.include(told, words)
        assert.strictEqual(yield* here.view((reader) => reader.get(Jobs, ["left behind"])), undefined)
        assert.strictEqual(yield* balanceOf(here, "b"), 0)
      })
    )
  }

  test(fresh, "opening an operation inside a transaction is a defect", ({ here, there }) =>
    Effect.gen(function* () {
      const inner = [
        here.transaction({ roots: [] }, () => Effect.void),
        there.view(() => Effect.void),
        here.claim(Jobs, { dueBy: someInstant, leaseUntil: someInstant, token: "t", limit: 1 }),
        here.health
      ]
      for (const operation of inner) {
        const nested = yield* Effect.exit(here.transaction({ roots: [] }, () => operation))
        assert.include(messageOf(nested), "inside a transaction")
        const inView = yield* Effect.exit(here.view(() => operation))
        assert.include(messageOf(inView), "inside a transaction")
      }
    })
  )

  test(fresh, "a row that is a new root holds what hangs on it", ({ here }) =>
    Effect.gen(function* () {
      yield* here.transaction({ roots: [] }, (transaction) =>
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

  test(fresh, "a root asked for twice is held once, by the stronger hold", ({ here }) =>
    Effect.gen(function* () {
      yield* here.transaction(
        { roots: [project("b"), exclusive("grant", "k"), project("a"), shared("grant", "k"), project("a")] },
        (transaction) =>
          Effect.andThen(transaction.insert(Keys, { id: "k", revoked: false }), transaction.lock(project("a")))
      )
    })
  )
}
