/** Waiting for locks, and linearizable revocation. */
import { assert } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { exclusive, shared } from "../../../src/ports/storage.ts"
import { Accounts, Facts, Keys } from "../tables.ts"
import { addOne, endsWithoutWaiting, openAccounts, project, test, type EmptyStore, type Store } from "./processes.ts"

const processNames = { here: "in the same process", there: "in another process" }

export const lockContract = (fresh: EmptyStore): void => {
  test(fresh, "Shared holders of a lock do not wait for each other.", ({ here, there }) =>
    Effect.gen(function* () {
      const hold = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(
        here.transaction({ locks: [shared("grant", "g")] }, () => Deferred.await(hold))
      )
      const other = yield* Effect.forkChild(there.transaction({ locks: [shared("grant", "g")] }, () => Effect.void))
      const same = yield* Effect.forkChild(here.transaction({ locks: [shared("grant", "g")] }, () => Effect.void))
      yield* Fiber.join(other)
      yield* Fiber.join(same)
      yield* Deferred.succeed(hold, undefined)
      yield* Fiber.join(waiting)
    })
  )

  for (const where of ["here", "there"] as const) {
    test(fresh, `An exclusive lock waits for a shared holder ${processNames[where]}.`, (processes) =>
      Effect.gen(function* () {
        const [reached, hold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const sharer = yield* Effect.forkChild(
          processes.here.transaction({ locks: [shared("grant", "g")] }, (transaction) =>
            Effect.gen(function* () {
              yield* transaction.now
              yield* Deferred.succeed(reached, undefined)
              yield* Deferred.await(hold)
            })
          )
        )
        yield* Deferred.await(reached)
        const revoker = yield* Effect.forkChild(
          processes[where].transaction({ locks: [exclusive("grant", "g")] }, () => Effect.void)
        )
        assert.isFalse(yield* endsWithoutWaiting(revoker))
        yield* Deferred.succeed(hold, undefined)
        yield* Fiber.join(revoker)
        yield* Fiber.join(sharer)
      })
    )
  }

  test(fresh, "A deferred lock waits for its holder, and reads after it see the holder's writes.", (processes) =>
    Effect.gen(function* () {
      const { here, there } = processes
      yield* openAccounts(here, ["a"])
      const [reached, hold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const wait = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(hold))
      const holder = yield* Effect.forkChild(addOne(here, "a", wait))
      yield* Deferred.await(reached)
      const second = yield* Effect.forkChild(
        there.transaction({ locks: [], deferred: [project("a")] }, (transaction) =>
          Effect.gen(function* () {
            yield* transaction.get(Facts, ["none"])
            yield* transaction.lock(project("a"))
            const [row] = yield* Effect.all([transaction.get(Accounts, ["a"]), transaction.get(Facts, ["none"])], {
              concurrency: "unbounded"
            })
            return row?.balance
          })
        )
      )
      assert.isFalse(yield* endsWithoutWaiting(second))
      yield* Deferred.succeed(hold, undefined)
      yield* Fiber.join(holder)
      assert.strictEqual(yield* Fiber.join(second), 1)
    })
  )

  for (const where of ["here", "there"] as const) {
    test(fresh, `A waiter ${processNames[where]} that is interrupted does not block later ones.`, (processes) =>
      Effect.gen(function* () {
        yield* openAccounts(processes.here, ["a"])
        const [reached, hold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const wait = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(hold))
        const holder = yield* Effect.forkChild(addOne(processes.here, "a", wait))
        yield* Deferred.await(reached)
        const interrupted = yield* Effect.forkChild(addOne(processes[where], "a"), { startImmediately: true })
        const behind = yield* Effect.forkChild(addOne(processes[where], "a"), { startImmediately: true })
        assert.isFalse(yield* endsWithoutWaiting(interrupted))
        const interruption = yield* Effect.forkChild(Fiber.interrupt(interrupted), { startImmediately: true })
        yield* Deferred.succeed(hold, undefined)
        yield* Fiber.join(interruption)
        assert.strictEqual(yield* Fiber.join(holder), 1)
        assert.strictEqual(yield* Fiber.join(behind), 2)
        assert.strictEqual(yield* addOne(processes[where], "a"), 3)
      })
    )
  }

  test(fresh, "Locks named in any order are taken in one global order, without a deadlock.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a", "b"])
      const take = (store: Store, ids: ReadonlyArray<string>) =>
        store.transaction({ locks: ids.map(project) }, (transaction) => transaction.now)
      const all = Array.from({ length: 20 }, (_, index) =>
        take(index % 4 < 2 ? here : there, index % 2 === 0 ? ["a", "b"] : ["b", "a"])
      )
      yield* Effect.all(all, { concurrency: "unbounded" })
    })
  )

  test(fresh, "Commands on one project are served first come, first served.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const served: Array<number> = []
      const fibers = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => index),
        (index) =>
          Effect.forkChild(
            addOne(
              here,
              "a",
              Effect.sync(() => void served.push(index))
            ),
            { startImmediately: true }
          )
      )
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(served, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    })
  )

  test(fresh, "An exclusive lock is not starved by continuing shared holders.", ({ here, there }) =>
    Effect.gen(function* () {
      let isDone = false
      const share = (store: Store) =>
        store.transaction({ locks: [shared("grant", "g")] }, (transaction) => transaction.now)
      const keepSharing = (store: Store) =>
        Effect.gen(function* () {
          while (!isDone) yield* share(store)
        })
      const sharers = yield* Effect.forkChild(
        Effect.all([here, there, here, there].map(keepSharing), { concurrency: "unbounded" })
      )
      for (let round = 0; round < 5; round++) {
        yield* here.transaction({ locks: [exclusive("grant", "g")] }, (transaction) => transaction.now)
      }
      isDone = true
      yield* Fiber.join(sharers)
    })
  )

  test(fresh, "Many transactions on one project leave connections for others.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["hot", "cold"])
      const [reached, hold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const wait = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(hold))
      const first = yield* Effect.forkChild(addOne(here, "hot", wait))
      yield* Deferred.await(reached)
      const crowd = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 40 }, () => addOne(here, "hot")),
          { concurrency: "unbounded" }
        )
      )
      assert.strictEqual(yield* addOne(here, "cold"), 1)
      yield* Deferred.succeed(hold, undefined)
      yield* Fiber.join(first)
      yield* Fiber.join(crowd)
    })
  )

  test(
    fresh,
    "After a revocation is acknowledged, no command commits that rests on the revoked authority.",
    ({ here, there }) =>
      Effect.gen(function* () {
        for (let round = 0; round < 20; round++) {
          const key = `key ${round}`
          yield* openAccounts(here, [key])
          yield* here.transaction({ locks: [] }, (transaction) => transaction.insert(Keys, { id: key, revoked: false }))
          let acknowledged = false
          const late: Array<string> = []
          const command = (store: Store, number: number) =>
            Effect.gen(function* () {
              const isLate = yield* store.transaction(
                { locks: [shared("grant", key)], deferred: [project(key)] },
                (transaction) =>
                  Effect.gen(function* () {
                    const found = yield* transaction.get(Keys, [key])
                    if (found!.revoked) return false
                    yield* transaction.lock(project(key))
                    const row = yield* transaction.get(Accounts, [key])
                    yield* transaction.update(Accounts, [key], { balance: row!.balance + 1 })
                    return acknowledged
                  })
              )
              if (isLate) late.push(`${round} ${number}`)
            })
          const revoke = Effect.gen(function* () {
            const revoked = yield* there.transaction({ locks: [exclusive("grant", key)] }, (transaction) =>
              Effect.as(transaction.update(Keys, [key], { revoked: true }), undefined)
            )
            acknowledged = true
            return revoked
          })
          const commands = Array.from({ length: 8 }, (_, number) => command(number % 2 === 0 ? here : there, number))
          yield* Effect.all([...commands.slice(0, 4), revoke, ...commands.slice(4)], { concurrency: "unbounded" })
          assert.deepStrictEqual(late, [])
        }
      })
  )

  test(fresh, "After a pause is acknowledged, the balance does not change.", ({ here, there }) =>
    Effect.gen(function* () {
      for (let round = 0; round < 20; round++) {
        const id = `account ${round}`
        yield* openAccounts(here, [id])
        const spend = (store: Store) =>
          store.transaction({ locks: [project(id)] }, (transaction) =>
            Effect.gen(function* () {
              const row = yield* transaction.get(Accounts, [id])
              if (!row!.paused) yield* transaction.update(Accounts, [id], { balance: row!.balance + 1 })
            })
          )
        const pause = Effect.gen(function* () {
          yield* there.transaction({ locks: [project(id)] }, (transaction) =>
            transaction.update(Accounts, [id], { paused: true })
          )
          return yield* there.view((reader) => reader.get(Accounts, [id]))
        })
        const [paused] = yield* Effect.all(
          [pause, ...Array.from({ length: 8 }, (_, index) => spend(index % 2 === 0 ? here : there))],
          { concurrency: "unbounded" }
        )
        const later = yield* here.view((reader) => reader.get(Accounts, [id]))
        assert.strictEqual(later!.balance, (paused as typeof later)!.balance)
      }
    })
  )
}
