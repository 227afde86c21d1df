/**
 * An open write transaction over one session. BEGIN, locks and reads are sent without waiting for each other; writes
 * wait here until the body ends, or until it reads a table that it has written.
 */
import { Effect, Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AttemptFailed, type Failure } from "../../ports/attempts.ts"
import { HeldRoots } from "../../ports/held-roots.ts"
import { keyToChange } from "../../ports/lookups.ts"
import type { KeyValue, Plan, Range, Reader, Root, Transaction } from "../../ports/storage.ts"
import { storedChanges, storedRow } from "../../ports/stored-values.ts"
import type { AnyTable, RowOf } from "../../ports/table.ts"
import { Wakes } from "../../ports/wakes.ts"
import { now, type Instant } from "../../vocabulary/instant.ts"
import { columnName } from "./columns.ts"
import { leavesDoubt } from "./failure.ts"
import { locksOf, type RootTables } from "./locks.ts"
import { provenByConnection, provenByRow, type Proof } from "./proofs.ts"
import { makeReader } from "./reader.ts"
import type { Rows, Session } from "./session.ts"
import { deleteRow, insertRow, together, updateRow, type Write } from "./writes.ts"

/** What came of a COMMIT. In doubt, the answer to it was lost. */
export type Commit =
  | { readonly _tag: "Committed" }
  | { readonly _tag: "Failed"; readonly failure: Failure }
  | { readonly _tag: "InDoubt"; readonly transactionId: string; readonly proof: Proof }

export class PostgresTransaction implements Transaction {
  readonly wakes = new Wakes()
  readonly #session: Session
  readonly #rootTables: RootTables
  readonly #roots: HeldRoots
  readonly #reader: Reader
  readonly #begun: Fiber.Fiber<string, SqlError>
  #queued: Array<Write> = []
  /** Locks and writes: whichever answers first names the transaction. */
  #pending: Array<Fiber.Fiber<Rows, SqlError>> = []
  #proof: Proof | undefined
  #hasWritten = false
  #transactionId: string | undefined
  #now: Instant | undefined

  constructor(session: Session, rootTables: RootTables, plan: Plan, roots: ReadonlyArray<Root>) {
    this.#session = session
    this.#rootTables = rootTables
    this.#roots = new HeldRoots(plan)
    this.#begun = session.submitControl("begin isolation level read committed")
    this.#reader = makeReader(session, {
      before: (table, columns, values) => this.#roots.checkLookup(table, columns, values),
      after: (table, row) => this.#roots.checkRowRead(table, row)
    })
    for (const root of roots) this.#roots.take(root)
    this.#submitLocks(roots)
  }

  get<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<RowOf<T> | undefined> {
    return this.#afterWrites(table, this.#reader.get(table, key))
  }

  find<T extends AnyTable>(
    table: T,
    index: keyof T["unique"] & string,
    values: ReadonlyArray<KeyValue>
  ): Effect.Effect<RowOf<T> | undefined> {
    return this.#afterWrites(table, this.#reader.find(table, index, values))
  }

  range<T extends AnyTable>(
    table: T,
    index: (keyof T["ordered"] & string) | "key",
    range: Range
  ): Effect.Effect<ReadonlyArray<RowOf<T>>> {
    return this.#afterWrites(table, this.#reader.range(table, index, range))
  }

  lock(root: Root): Effect.Effect<void> {
    return Effect.sync(() => {
      if (this.#roots.takeDeferred(root)) this.#submitLocks([root])
    })
  }

  get now(): Effect.Effect<Instant> {
    return Effect.suspend(() => {
      if (this.#now !== undefined) return Effect.succeed(this.#now)
      this.#roots.readTime()
      return Effect.map(Effect.andThen(this.#settled, now), (read) => (this.#now ??= read))
    })
  }

  insert<T extends AnyTable>(table: T, row: RowOf<T>): Effect.Effect<void> {
    return Effect.sync(() => {
      const stored = storedRow(table, row)
      this.#roots.checkInsert(table, stored)
      if (table.guard === "append-only" && !table.raced) this.#proof ??= provenByRow(table, stored)
      this.#queued.push(insertRow(table, stored))
    })
  }

  update<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>, changes: Partial<RowOf<T>>): Effect.Effect<void> {
    return Effect.sync(() => {
      const stored = storedChanges(table, changes)
      const write = updateRow(table, keyToChange(table, key), stored, this.#roots.idsToChange(table))
      if (Object.keys(stored).length > 0) this.#queued.push(write)
    })
  }

  remove<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<void> {
    return Effect.sync(() => {
      this.#queued.push(deleteRow(table, keyToChange(table, key), this.#roots.idsToChange(table)))
    })
  }

  afterCommit(wake: Effect.Effect<void>): Effect.Effect<void> {
    return this.wakes.add(wake)
  }

  /** Sends what is queued and COMMIT, and waits for the answer. To be called once, where nothing interrupts it. */
  readonly commit: Effect.Effect<Commit> = Effect.gen({ self: this }, function* () {
    yield* this.#settled
    if (this.#queued.length === 0 && !this.#hasWritten) {
      this.#session.submitLast("commit")
      return { _tag: "Committed" } as const
    }
    const proof = this.#proof ?? this.#leaveProof()
    yield* this.#flush
    if (this.#transactionId === undefined) yield* this.#settled
    if (this.#session.failure !== undefined) return yield* Effect.die(new AttemptFailed())
    return yield* this.#commitWritten(this.#transactionId!, proof)
  })

  #submitLocks(roots: ReadonlyArray<Root>): void {
    for (const statement of locksOf(this.#rootTables, roots)) this.#pending.push(this.#session.submit(statement))
  }

  #leaveProof(): Proof {
    const { write, proof } = provenByConnection(this.#session.connection)
    this.#queued.push(write)
    return proof
  }

  #commitWritten(transactionId: string, proof: Proof): Effect.Effect<Commit> {
    return Effect.map(Fiber.await(this.#session.submitControl("commit")), (exit): Commit => {
      if (exit._tag === "Success" && exit.value === "COMMIT") return { _tag: "Committed" }
      if (exit._tag === "Failure" && leavesDoubt(exit.cause)) {
        return { _tag: "InDoubt", transactionId, proof }
      }
      return { _tag: "Failed", failure: this.#session.failure! }
    })
  }

  /** Every lock is granted, and the transaction is named where one of them told. */
  readonly #settled: Effect.Effect<void> = Effect.suspend(() => {
    const pending = this.#pending.splice(0)
    return Effect.forEach(
      pending,
      (submitted) =>
        Effect.map(this.#session.rows(submitted), ([first]) => {
          if (typeof first?.[0] === "string" && first[0] !== "") this.#transactionId ??= first[0]
        }),
      { discard: true }
    )
  })

  /** Only an open transaction may be written in: had BEGIN failed, each write would commit by itself. */
  readonly #flush: Effect.Effect<void> = Effect.flatMap(
    Effect.suspend(() => Fiber.await(this.#begun)),
    () => {
      for (const statement of together(this.#queued.splice(0))) {
        if (this.#session.failure !== undefined) return Effect.die(new AttemptFailed())
        this.#hasWritten = true
        this.#pending.push(this.#session.submit(statement))
      }
      return Effect.void
    }
  )

  #afterWrites<A>(table: AnyTable, read: Effect.Effect<A>): Effect.Effect<A> {
    return Effect.suspend(() =>
      this.#queued.some((write) => write.table === columnName(table.name)) ? Effect.andThen(this.#flush, read) : read
    )
  }
}
