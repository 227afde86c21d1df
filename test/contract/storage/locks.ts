/** Who waits for whom, and what may be said once somebody has been answered. */
import { assert } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { exclusive, shared } from "../../../src/ports/storage.ts"
import { Accounts, Facts, Keys } from "../tables.ts"
import { addOne, endsByItself, openAccounts, project, test, type Fresh, type Store } from "./processes.ts"

export const lockContract = (fresh: Fresh): void => {
  test(fresh, "sharers of a root do not wait for each other", ({ here, there }) =>
    Effect.gen(function* () {
      const hold = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(
        here.transaction({ roots: [shared("grant", "g")] }, () => Deferred.await(hold))
      )
      const other = yield* Effect.forkChild(there.transaction({ roots: [shared("grant", "g")] }, () => Effect.void))
      const same = yield* Effect.forkChild(here.transaction({ roots: [shared("grant", "g")] }, () => Effect.void))
      yield* Fiber.join(other)
      yield* Fiber.join(same)
      yield* Deferred.succeed(hold, undefined)
      yield* Fiber.join(waiting)
    })
  )

  for (const where of ["here", "there"] as const) {
    test(fresh, `who wants a root exclusively waits for a sharer ${where}`, (processes) =>
      Effect.gen(function* () {
        const [reached, hold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const sharer = yield* Effect.forkChild(
          processes.here.transaction({ roots: [shared("grant", "g")] }, (transaction) =>
            Effect.gen(function* () {
              yield* transaction.now
              yield* Deferred.succeed(reached, undefined)
              yield* Deferred.await(hold)
            })
          )
        )
        yield* Deferred.await(reached)
        const revoker = yield* Effect.forkChild(
          processes[where].transaction({ roots: [exclusive("grant", "g")] }, () => Effect.void)
        )
        assert.isFalse(yield* endsByItself(revoker))
        yield* Deferred.succeed(hold, undefined)
        yield* Fiber.join(revoker)
        yield* Fiber.join(sharer)
      })
    )
  }

  test(
    fresh,
    "locking a deferred root waits for its holder, and reads after it see what the holder wrote",
    (processes) =>
      Effect.gen(function* () {
        const { here, there } = processes
        yield* openAccounts(here, ["a"])
        const [reached, hold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const wait = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(hold))
        const holder = yield* Effect.forkChild(addOne(here, "a", wait))
        yield* Deferred.await(reached)
        const second = yield* Effect.forkChild(
          there.transaction({ roots: [], deferred: [project("a")] }, (transaction) =>
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
        assert.isFalse(yield* endsByItself(second))
        yield* Deferred.succeed(hold, undefined)
        yield* Fiber.join(holder)
        assert.strictEqual(yield* Fiber.join(second), 1)
      })
  )

  for (const where of ["here", "there"] as const) {
    test(fresh, `who gives up waiting ${where} holds up nobody behind`, (processes) =>
      Effect.gen(function* () {
        yield* openAccounts(processes.here, ["a"])
        const [reached, hold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const wait = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(hold))
        const holder = yield* Effect.forkChild(addOne(processes.here, "a", wait))
        yield* Deferred.await(reached)
        const impatient = yield* Effect.forkChild(addOne(processes[where], "a"), { startImmediately: true })
        const behind = yield* Effect.forkChild(addOne(processes[where], "a"), { startImmediately: true })
        assert.isFalse(yield* endsByItself(impatient))
        const givenUp = yield* Effect.forkChild(Fiber.interrupt(impatient), { startImmediately: true })
        yield* Deferred.succeed(hold, undefined)
        yield* Fiber.join(givenUp)
        assert.strictEqual(yield* Fiber.join(holder), 1)
        assert.strictEqual(yield* Fiber.join(behind), 2)
        assert.strictEqual(yield* addOne(processes[where], "a"), 3)
      })
    )
  }

  test(fresh, "roots named in any order are locked in one, so that nobody waits for each other", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a", "b"])
      const take = (store: Store, ids: ReadonlyArray<string>) =>
        store.transaction({ roots: ids.map(project) }, (transaction) => transaction.now)
      const all = Array.from({ length: 20 }, (_, index) =>
        take(index % 4 < 2 ? here : there, index % 2 === 0 ? ["a", "b"] : ["b", "a"])
      )
      yield* Effect.all(all, { concurrency: "unbounded" })
    })
  )

  test(fresh, "commands on one project are served in the order in which they came", ({ here }) =>
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

  test(fresh, "a writer is not starved by sharers that keep coming", ({ here, there }) =>
    Effect.gen(function* () {
      let over = false
      const share = (store: Store) =>
        store.transaction({ roots: [shared("grant", "g")] }, (transaction) => transaction.now)
      const keepSharing = (store: Store) =>
        Effect.gen(function* () {
          while (!over) yield* share(store)
        })
      const sharers = yield* Effect.forkChild(
        Effect.all([here, there, here, there].map(keepSharing), { concurrency: "unbounded" })
      )
      for (let round = 0; round < 5; round++) {
        yield* here.transaction({ roots: [exclusive("grant", "g")] }, (transaction) => transaction.now)
      }
      over = true
      yield* Fiber.join(sharers)
    })
  )

  test(fresh, "many transactions on one project leave connections for others", ({ here }) =>
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

  test(fresh, "after a revocation is answered no command commits that had read the old authority", ({ here, there }) =>
    Effect.gen(function* () {
      for (let round = 0; round < 20; round++) {
        const key = `key ${round}`
        yield* openAccounts(here, [key])
        yield* here.transaction({ roots: [] }, (transaction) => transaction.insert(Keys, { id: key, revoked: false }))
        let answered = false
        const late: Array<string> = []
        const command = (store: Store, number: number) =>
          Effect.gen(function* () {
            const isLate = yield* store.transaction(
              { roots: [shared("grant", key)], deferred: [project(key)] },
              (transaction) =>
                Effect.gen(function* () {
                  const found = yield* transaction.get(Keys, [key])
                  if (found!.revoked) return false
                  yield* transaction.lock(project(key))
                  const row = yield* transaction.get(Accounts, [key])
                  yield* transaction.update(Accounts, [key], { balance: row!.balance + 1 })
                  return answered
                })
            )
            if (isLate) late.push(`${round} ${number}`)
          })
        const revoke = Effect.gen(function* () {
          const spent = yield* there.transaction({ roots: [exclusive("grant", key)] }, (transaction) =>
            Effect.as(transaction.update(Keys, [key], { revoked: true }), undefined)
          )
          answered = true
          return spent
        })
        const commands = Array.from({ length: 8 }, (_, number) => command(number % 2 === 0 ? here : there, number))
        yield* Effect.all([...commands.slice(0, 4), revoke, ...commands.slice(4)], { concurrency: "unbounded" })
        assert.deepStrictEqual(late, [])
      }
    })
  )

  test(fresh, "after a pause is answered the balance stands still", ({ here, there }) =>
    Effect.gen(function* () {
      for (let round = 0; round < 20; round++) {
        const id = `account ${round}`
        yield* openAccounts(here, [id])
        const spend = (store: Store) =>
          store.transaction({ roots: [project(id)] }, (transaction) =>
            Effect.gen(function* () {
              const row = yield* transaction.get(Accounts, [id])
              if (!row!.paused) yield* transaction.update(Accounts, [id], { balance: row!.balance + 1 })
            })
          )
        const pause = Effect.gen(function* () {
          yield* there.transaction({ roots: [project(id)] }, (transaction) =>
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
