/** The setup of a contract test: one empty store, and two instances of the storage service, as in two processes. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Option, type Scope } from "effect"
import type { Storage } from "../../../src/ports/storage.ts"
import { exclusive, type Transaction } from "../../../src/ports/storage.ts"
import { Accounts } from "../tables.ts"

export type Store = Storage["Service"]

export interface Processes {
  readonly here: Store
  readonly there: Store
  /** Makes the next transaction that inserts a fact fail once with this SQLSTATE. */
  failOnce(code: FailureCode): Effect.Effect<void>
}

export type FailureCode = "40001" | "40P01" | "57014" | "53200" | "25006"

export type EmptyStore = Effect.Effect<Processes, never, Scope.Scope>

/** A test on a fresh store, under the real clock. */
export const test = (fresh: EmptyStore, name: string, body: (processes: Processes) => Effect.Effect<void>): void => {
  it.live(name, () => Effect.scoped(Effect.flatMap(fresh, body)))
}

export const project = (id: string) => exclusive("project", id)

/** Inserts accounts, each with this balance. */
export const openAccounts = (store: Store, ids: ReadonlyArray<string>, balance = 0): Effect.Effect<void> =>
  store.transaction({ locks: [] }, (transaction) =>
    Effect.forEach(ids, (id) => transaction.insert(Accounts, { id, balance, paused: false, owner: null }), {
      discard: true
    })
  )

export const balanceOf = (store: Store, id: string): Effect.Effect<number | undefined> =>
  Effect.map(
    store.view((reader) => reader.get(Accounts, [id])),
    (row) => row?.balance
  )

/** Adds one, as a command does: lock, read, decide, write. */
export const addOne = (store: Store, id: string, between: Effect.Effect<void> = Effect.void): Effect.Effect<number> =>
  store.transaction({ locks: [project(id)] }, (transaction) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(Accounts, [id])
      yield* between
      yield* transaction.update(Accounts, [id], { balance: row!.balance + 1 })
      return row!.balance + 1
    })
  )

/** True where the fiber ends within a moment: long enough for any fiber that waits for no lock. */
export const endsWithoutWaiting = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<boolean> =>
  Effect.map(Effect.timeoutOption(Fiber.await(fiber), "150 millis"), Option.isSome)

/** Runs a body that must die; returns the message of its defect. */
export const defectOf = (
  store: Store,
  plan: Parameters<Store["transaction"]>[0],
  body: (transaction: Transaction) => Effect.Effect<unknown>
): Effect.Effect<string> => Effect.map(Effect.exit(store.transaction(plan, body)), messageOf)

export const messageOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return assert.fail("the operation succeeded")
  const defect = Cause.squash(exit.cause)
  return defect instanceof Error ? defect.message : String(defect)
}
