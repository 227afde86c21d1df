/** A write transaction in memory: read committed, with its own writes visible; it changes the store at its commit only. */
import { Duration, Effect, Option } from "effect"
import { AttemptFailure, type StoreFailure } from "../../../src/ports/storage/transaction-retry.ts"
import { LockDiscipline } from "../../../src/ports/storage/lock-discipline.ts"
import { awaitGrant, type LockRequest } from "../../../src/ports/storage/lock-queue.ts"
import { keyOfChangedRow } from "../../../src/ports/storage/lookups.ts"
import type { IndexOf, KeyValue, LockPlan, Range, Reader, LockKey, Transaction } from "../../../src/ports/storage.ts"
import { storedChanges, storedRow } from "../../../src/ports/storage/stored-values.ts"
import type { AnyTable, RowOf } from "../../../src/ports/table.ts"
import { AfterCommitActions } from "../../../src/ports/storage/after-commit.ts"
import { now, type Instant } from "../../../src/vocabulary/instant.ts"
import { isViolation, applyWrites, type Content, type Write } from "./content.ts"
import { failureOf, type FaultPoint, type FaultAt } from "./faults.ts"
import { makeReader } from "./reader.ts"
import type { MemoryStore } from "./store.ts"

const lockTimeout = Duration.seconds(2)

export interface TransactionOptions {
  readonly store: MemoryStore
  readonly number: number
  readonly plan: LockPlan
  readonly gate: (label: string) => Effect.Effect<void>
  readonly fault: FaultAt
}

export class MemoryTransaction implements Transaction {
  readonly #options: TransactionOptions
  readonly #locks: LockDiscipline
  readonly #reader: Reader
  readonly #places: Array<LockRequest> = []
  readonly hints: Reader
  readonly writes: Array<Write> = []
  readonly wakes = new AfterCommitActions()
  #failure: StoreFailure | undefined
  #now: Instant | undefined

  constructor(opening: TransactionOptions) {
    this.#options = opening
    this.#locks = new LockDiscipline(opening.plan)
    this.hints = makeReader((table) => this.#visible(table))
    this.#reader = makeReader((table) => this.#visible(table), {
      before: (table, columns, values) => this.#locks.checkLookup(table, columns, values),
      filter: (table) => this.#locks.checkFilter(table),
      after: (table, row) => this.#locks.checkRowRead(table, row)
    })
  }

  get failure(): StoreFailure | undefined {
    return this.#failure
  }

  get<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<RowOf<T> | undefined> {
    return Effect.andThen(this.#inject({ at: "read", what: table.name }), this.#reader.get(table, key))
  }

  find<T extends AnyTable>(
    table: T,
    index: keyof T["unique"] & string,
    values: ReadonlyArray<KeyValue>
  ): Effect.Effect<RowOf<T> | undefined> {
    return Effect.andThen(this.#inject({ at: "read", what: table.name }), this.#reader.find(table, index, values))
  }

  range<T extends AnyTable>(table: T, index: IndexOf<T>, range: Range): Effect.Effect<ReadonlyArray<RowOf<T>>> {
    return Effect.andThen(this.#inject({ at: "read", what: table.name }), this.#reader.range(table, index, range))
  }

  lock(root: LockKey): Effect.Effect<void> {
    return Effect.suspend(() => (this.#locks.takeDeferred(root) ? this.#takeLock(root) : Effect.void))
  }

  get now(): Effect.Effect<Instant> {
    return Effect.suspend(() => {
      if (this.#now !== undefined) return Effect.succeed(this.#now)
      this.#locks.readTime()
      return Effect.map(now, (read) => (this.#now ??= read))
    })
  }

  insert<T extends AnyTable>(table: T, row: RowOf<T>): Effect.Effect<void> {
    return Effect.sync(() => {
      const stored = storedRow(table, row)
      this.#locks.checkInsert(table, stored)
      this.writes.push({ kind: "insert", table, row: stored })
    })
  }

  update<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>, given: Partial<RowOf<T>>): Effect.Effect<void> {
    return Effect.sync(() => {
      const changes = storedChanges(table, given)
      const lockIds = this.#locks.idsToChange(table, Object.keys(changes))
      const change = { table, key: keyOfChangedRow(table, key), lockIds }
      if (Object.keys(changes).length > 0) this.writes.push({ kind: "update", changes, ...change })
    })
  }

  remove<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<void> {
    return Effect.sync(() => {
      const change = { table, key: keyOfChangedRow(table, key), lockIds: this.#locks.idsToChange(table) }
      this.writes.push({ kind: "remove", ...change })
    })
  }

  afterCommit(wake: Effect.Effect<void>): Effect.Effect<void> {
    return this.wakes.add(wake)
  }

  /** Begins the transaction and locks the locks of the plan. */
  open(locks: ReadonlyArray<LockKey>): Effect.Effect<void> {
    return Effect.andThen(
      this.#schedulingPoint("begin", { at: "begin" }),
      Effect.forEach(
        locks,
        (root) => {
          this.#locks.take(root)
          return this.#takeLock(root)
        },
        { discard: true }
      )
    )
  }

  /** Releases all locks, after success and failure. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => this.#options.store.locks.release(this.#places))

  #takeLock(root: LockKey): Effect.Effect<void> {
    const { store } = this.#options
    const what = `${root.kind} ${root.id}`
    const take = Effect.suspend(() => {
      if (!store.isLockable(root)) return Effect.void
      const place = store.locks.enqueue(root)
      this.#places.push(place)
      return place.granted ? Effect.void : this.#waitFor(place, what)
    })
    return Effect.andThen(this.#schedulingPoint(`lock ${what}`, { at: "lock", what }), take)
  }

  #waitFor(place: LockRequest, what: string): Effect.Effect<void> {
    return Effect.flatMap(Effect.timeoutOption(awaitGrant(place), lockTimeout), (waited) =>
      Option.isSome(waited) || place.granted
        ? Effect.void
        : this.#fail({ code: "55P03", reason: `lock ${what}`, raced: false })
    )
  }

  #schedulingPoint(label: string, point: Omit<FaultPoint, "transaction">): Effect.Effect<void> {
    return Effect.andThen(this.#options.gate(label), this.#inject(point))
  }

  #inject(point: Omit<FaultPoint, "transaction">): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#failure !== undefined) return Effect.die(new AttemptFailure())
      const fault = this.#options.fault({ transaction: this.#options.number, ...point })
      return fault === undefined ? Effect.void : this.#fail(failureOf(fault, point.at))
    })
  }

  #fail(failure: StoreFailure): Effect.Effect<never> {
    this.#failure ??= failure
    return Effect.die(new AttemptFailure(failure.reason))
  }

  /** The content visible to a read. Own writes that a database would refuse fail the attempt. */
  #visible(table: AnyTable): Content {
    const { content } = this.#options.store
    if (!this.writes.some((write) => write.table === table)) return content
    const seen = applyWrites(content, this.writes)
    if (!isViolation(seen)) return seen
    this.#failure ??= seen
    throw new AttemptFailure(seen.reason)
  }
}
