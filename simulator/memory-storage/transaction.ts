/** A write transaction in memory: read committed, with its own writes visible; it changes the store at its commit only. */
import { Duration, Effect, Option } from "effect"
import { AttemptFailed, type Failure } from "../../src/ports/attempts.ts"
import { HeldRoots } from "../../src/ports/held-roots.ts"
import { granted, type Place } from "../../src/ports/root-queue.ts"
import { keyToChange } from "../../src/ports/lookups.ts"
import type { KeyValue, Plan, Range, Reader, Root, Transaction } from "../../src/ports/storage.ts"
import { storedChanges, storedRow } from "../../src/ports/stored-values.ts"
import type { AnyTable, RowOf } from "../../src/ports/table.ts"
import { Wakes } from "../../src/ports/wakes.ts"
import { now, type Instant } from "../../src/vocabulary/instant.ts"
import { isViolation, written, type Content, type Write } from "./content.ts"
import { failureOf, type FaultPoint, type FaultAt } from "./faults.ts"
import { makeReader } from "./reader.ts"
import type { MemoryStore } from "./store.ts"

const lockTimeout = Duration.seconds(2)

export interface Opening {
  readonly store: MemoryStore
  readonly number: number
  readonly plan: Plan
  readonly gate: (label: string) => Effect.Effect<void>
  readonly fault: FaultAt
}

export class MemoryTransaction implements Transaction {
  readonly #options: Opening
  readonly #roots: HeldRoots
  readonly #reader: Reader
  readonly #places: Array<Place> = []
  readonly writes: Array<Write> = []
  readonly wakes = new Wakes()
  #failure: Failure | undefined
  #now: Instant | undefined

  constructor(opening: Opening) {
    this.#options = opening
    this.#roots = new HeldRoots(opening.plan)
    this.#reader = makeReader((table) => this.#visible(table), {
      before: (table, columns, values) => this.#roots.checkLookup(table, columns, values),
      after: (table, row) => this.#roots.checkRowRead(table, row)
    })
  }

  get failure(): Failure | undefined {
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

  range<T extends AnyTable>(
    table: T,
    index: (keyof T["ordered"] & string) | "key",
    range: Range
  ): Effect.Effect<ReadonlyArray<RowOf<T>>> {
    return Effect.andThen(this.#inject({ at: "read", what: table.name }), this.#reader.range(table, index, range))
  }

  lock(root: Root): Effect.Effect<void> {
    return Effect.suspend(() => (this.#roots.takeDeferred(root) ? this.#takeLock(root) : Effect.void))
  }

  get now(): Effect.Effect<Instant> {
    return Effect.suspend(() => {
      if (this.#now !== undefined) return Effect.succeed(this.#now)
      this.#roots.readTime()
      return Effect.map(now, (read) => (this.#now ??= read))
    })
  }

  insert<T extends AnyTable>(table: T, row: RowOf<T>): Effect.Effect<void> {
    return Effect.sync(() => {
      const stored = storedRow(table, row)
      this.#roots.checkInsert(table, stored)
      this.writes.push({ kind: "insert", table, row: stored })
    })
  }

  update<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>, given: Partial<RowOf<T>>): Effect.Effect<void> {
    return Effect.sync(() => {
      const changes = storedChanges(table, given)
      const change = { table, key: keyToChange(table, key), rootIds: this.#roots.idsToChange(table) }
      if (Object.keys(changes).length > 0) this.writes.push({ kind: "update", changes, ...change })
    })
  }

  remove<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<void> {
    return Effect.sync(() => {
      const change = { table, key: keyToChange(table, key), rootIds: this.#roots.idsToChange(table) }
      this.writes.push({ kind: "remove", ...change })
    })
  }

  afterCommit(wake: Effect.Effect<void>): Effect.Effect<void> {
    return this.wakes.add(wake)
  }

  /** Begins the transaction and locks the roots of the plan. */
  open(roots: ReadonlyArray<Root>): Effect.Effect<void> {
    return Effect.andThen(
      this.#schedulingPoint("begin", { at: "begin" }),
      Effect.forEach(
        roots,
        (root) => {
          this.#roots.take(root)
          return this.#takeLock(root)
        },
        { discard: true }
      )
    )
  }

  /** Releases all locks, after success and failure. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => this.#options.store.locks.leave(this.#places))

  #takeLock(root: Root): Effect.Effect<void> {
    const { store } = this.#options
    const what = `${root.kind} ${root.id}`
    const take = Effect.suspend(() => {
      if (!store.isLockable(root)) return Effect.void
      const place = store.locks.stand(root)
      this.#places.push(place)
      return place.granted ? Effect.void : this.#waitFor(place, what)
    })
    return Effect.andThen(this.#schedulingPoint(`lock ${what}`, { at: "lock", what }), take)
  }

  #waitFor(place: Place, what: string): Effect.Effect<void> {
    return Effect.flatMap(Effect.timeoutOption(granted(place), lockTimeout), (waited) =>
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
      if (this.#failure !== undefined) return Effect.die(new AttemptFailed())
      const fault = this.#options.fault({ transaction: this.#options.number, ...point })
      return fault === undefined ? Effect.void : this.#fail(failureOf(fault, point.at))
    })
  }

  #fail(failure: Failure): Effect.Effect<never> {
    this.#failure ??= failure
    return Effect.die(new AttemptFailed(failure.reason))
  }

  /** The content visible to a read. Own writes that a database would refuse fail the attempt. */
  #visible(table: AnyTable): Content {
    const { content } = this.#options.store
    if (!this.writes.some((write) => write.table === table)) return content
    const seen = written(content, this.writes)
    if (!isViolation(seen)) return seen
    this.#failure ??= seen
    throw new AttemptFailed(seen.reason)
  }
}
