/**
 * An open write transaction over one session. BEGIN, locks and reads are sent without waiting for each other; writes are
 * queued until the body ends, or until it reads a table that it has written.
 */
import { Effect, Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import {
  AttemptFailure,
  deadlockDetected,
  lockTimeout,
  outcomeUnknown,
  type StoreFailure
} from "../../ports/storage/transaction-retry.ts"
import { LockDiscipline } from "../../ports/storage/lock-discipline.ts"
import { keyOfChangedRow } from "../../ports/storage/lookups.ts"
import type { KeyValue, LockPlan, Reader, LockKey, Transaction } from "../../ports/storage.ts"
import { storedChanges, storedRow } from "../../ports/storage/stored-values.ts"
import type { AnyTable, RowOf } from "../../ports/table.ts"
import { AfterCommitActions } from "../../ports/storage/after-commit.ts"
import { now, type Instant } from "../../vocabulary/instant.ts"
import { columnName } from "./columns.ts"
import type { Read, Rows } from "./combined-reads.ts"
import { isIndeterminate } from "./failure.ts"
import { lockStatements, type LockTables } from "./locks.ts"
import { connectionProof, rowProof, type CommitProof } from "./commit-proofs.ts"
import { countIndeterminateCommit, type StorageMeter } from "./metrics.ts"
import { makeReader, type RowSource } from "./reader.ts"
import type { Session, PendingAnswer } from "./session.ts"
import { submitConfirmation, submitRequirement } from "./standby.ts"
import { deleteRow, insertRow, combineStatements, updateRow, type Write } from "./writes.ts"

/** The result of a COMMIT; indeterminate where its answer was lost. */
export type CommitResult =
  | { readonly _tag: "Committed" }
  | { readonly _tag: "Failed"; readonly failure: StoreFailure }
  | {
      readonly _tag: "Indeterminate"
      readonly transactionId: string
      readonly proof: CommitProof
      readonly needsStandby: boolean
    }

export interface Opening {
  readonly lockTables: LockTables
  readonly plan: LockPlan
  /** The locks of the plan, in lock order. */
  readonly locks: ReadonlyArray<LockKey>
  readonly needsStandby: boolean
  readonly meter: StorageMeter
}

export class PostgresTransaction implements Transaction {
  readonly actions = new AfterCommitActions()
  readonly get: Reader["get"]
  readonly find: Reader["find"]
  readonly range: Reader["range"]
  readonly hints: Reader
  readonly #session: Session
  readonly #lockTables: LockTables
  readonly #discipline: LockDiscipline
  readonly #meter: StorageMeter
  /** Whether it commits only while the server waits for a standby. */
  readonly #needsStandby: boolean
  readonly #begin: Fiber.Fiber<string, SqlError>
  #queued: Array<Write> = []
  /** Locks and writes: an answer that contains the transaction's id has no other text before it. */
  #pending: Array<PendingAnswer> = []
  /** The answers of the locks that are rows, by the id of the row. */
  readonly #lockedRows = new Map<AnyTable, Map<KeyValue, PendingAnswer>>()
  /** The SQL names of the tables that this transaction has written or will write. */
  readonly #written = new Set<string>()
  #proof: CommitProof | undefined
  #hasWritten = false
  #transactionId: string | undefined
  #now: Instant | undefined

  constructor(session: Session, { lockTables, plan, locks, needsStandby, meter }: Opening) {
    this.#session = session
    this.#meter = meter
    this.#lockTables = lockTables
    this.#needsStandby = needsStandby
    this.#discipline = new LockDiscipline(plan)
    this.#begin = session.submitControl("begin isolation level read committed")
    const rowsOf: RowSource = (read) => this.#rowsOf(read)
    this.hints = makeReader(rowsOf)
    const { get, find, range } = makeReader(rowsOf, {
      before: (table, columns, values) => this.#discipline.checkLookup(table, columns, values),
      filter: (table) => this.#discipline.checkFilter(table),
      after: (table, row) => this.#discipline.checkRowRead(table, row)
    })
    this.get = get
    this.find = find
    this.range = range
    for (const lock of locks) this.#discipline.take(lock)
    this.#submitLocks(locks)
  }

  lock(lock: LockKey): Effect.Effect<void> {
    return Effect.sync(() => {
      if (this.#discipline.takeDeferred(lock)) this.#submitLocks([lock])
    })
  }

  get now(): Effect.Effect<Instant> {
    return Effect.suspend(() => {
      if (this.#now !== undefined) return Effect.succeed(this.#now)
      this.#discipline.readTime()
      return Effect.map(Effect.andThen(this.#settled, now), (read) => (this.#now ??= read))
    })
  }

  insert<T extends AnyTable>(table: T, row: RowOf<T>): Effect.Effect<void> {
    return Effect.sync(() => {
      const stored = storedRow(table, row)
      this.#discipline.checkInsert(table, stored)
      if (table.provesCommit) this.#proof ??= rowProof(table, stored)
      this.#queue(insertRow(table, stored))
    })
  }

  update<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>, changes: Partial<RowOf<T>>): Effect.Effect<void> {
    return Effect.sync(() => {
      const stored = storedChanges(table, changes)
      const lockIds = this.#discipline.idsToChange(table, Object.keys(stored))
      const write = updateRow(table, keyOfChangedRow(table, key), stored, lockIds)
      if (Object.keys(stored).length > 0) this.#queue(write)
    })
  }

  remove<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<void> {
    return Effect.sync(() => {
      this.#queue(deleteRow(table, keyOfChangedRow(table, key), this.#discipline.idsToChange(table)))
    })
  }

  afterCommit(wake: Effect.Effect<void>): Effect.Effect<void> {
    return this.actions.add(wake)
  }

  /** Sends the queued writes and COMMIT, and waits for the answer. Called once, uninterruptibly. */
  readonly commit: Effect.Effect<CommitResult> = Effect.gen({ self: this }, function* () {
    yield* this.#settled
    // A replay states that its effect is not lost: where a standby is required, it writes a proof behind that effect.
    if (this.#queued.length === 0 && !this.#hasWritten && !this.#needsStandby) {
      this.#session.submitLast("commit")
      return { _tag: "Committed" } as const
    }
    const proof = this.#proof ?? this.#leaveProof()
    yield* this.#flush
    if (this.#transactionId === undefined) yield* this.#settled
    if (this.#session.failure !== undefined) return yield* Effect.die(new AttemptFailure())
    if (this.#needsStandby) submitRequirement(this.#session)
    return yield* this.#commitWritten(this.#transactionId!, proof)
  })

  #submitLocks(locks: ReadonlyArray<LockKey>): void {
    const statements = lockStatements(this.#lockTables, locks)
    const began = this.#meter.milliseconds
    let isWaiting = true
    for (const [index, { statement, kind, row }] of statements.entries()) {
      const submitted = this.#session.submit(statement, (isGranted) => {
        const isEnd = isGranted ? index === statements.length - 1 : isRefusedLock(this.#session.failure)
        if (isEnd && isWaiting) this.#meter.addLockWait(kind, began)
        if (isEnd) isWaiting = false
      })
      this.#pending.push(submitted)
      if (row !== undefined) this.#keepLockedRow(row.table, row.id, submitted)
    }
  }

  #keepLockedRow(table: AnyTable, id: string, submitted: PendingAnswer): void {
    const rows = this.#lockedRows.get(table)
    if (rows === undefined) this.#lockedRows.set(table, new Map([[id, submitted]]))
    else rows.set(id, submitted)
  }

  #queue(write: Write): void {
    this.#queued.push(write)
    this.#written.add(write.shape.table)
  }

  #leaveProof(): CommitProof {
    const { write, proof } = connectionProof(this.#session.connection)
    this.#queued.push(write)
    return proof
  }

  #commitWritten(transactionId: string, proof: CommitProof): Effect.Effect<CommitResult> {
    const needsStandby = this.#needsStandby
    return Effect.gen({ self: this }, function* (): Effect.fn.Return<CommitResult> {
      const committing = this.#session.submitControl("commit")
      const confirmation = needsStandby ? submitConfirmation(this.#session) : Effect.succeed(true)
      const exit = yield* Fiber.await(committing)
      if (exit._tag === "Success" && exit.value === "COMMIT") {
        if (yield* confirmation) return { _tag: "Committed" }
        yield* countIndeterminateCommit({ outcome: "NOT_REPLICATED" })
        return { _tag: "Failed", failure: mayBeLost }
      }
      if (exit._tag === "Failure" && isIndeterminate(exit.cause)) {
        return { _tag: "Indeterminate", transactionId, proof, needsStandby }
      }
      return { _tag: "Failed", failure: this.#session.failure! }
    })
  }

  /** Waits until every lock is granted; learns the transaction's id from the first answer that contains it. */
  readonly #settled: Effect.Effect<void> = Effect.suspend(() => {
    const pending = this.#pending.splice(0)
    return Effect.forEach(
      pending,
      (submitted) =>
        Effect.map(this.#session.rows(submitted), ([first]) => {
          const id = first?.find((value) => typeof value === "string" && value !== "")
          this.#transactionId ??= id as string | undefined
        }),
      { discard: true }
    )
  })

  /** Writes only inside an open transaction: had BEGIN failed, each write would commit by itself. */
  readonly #flush: Effect.Effect<void> = Effect.flatMap(
    Effect.suspend(() => Fiber.await(this.#begin)),
    () => {
      for (const statement of combineStatements(this.#queued.splice(0))) {
        if (this.#session.failure !== undefined) return Effect.die(new AttemptFailure())
        this.#hasWritten = true
        this.#pending.push(this.#session.submit(statement))
      }
      return Effect.void
    }
  )

  /** A row locked by this transaction is the one that its lock returned, as long as this transaction has not written it. */
  #rowsOf(read: Read): Effect.Effect<Rows> {
    const { table, columns, wanted } = read
    if (!this.#written.has(columnName(table.name))) {
      const isByKey = columns === table.key && Array.isArray(wanted)
      const locked = isByKey ? this.#lockedRows.get(table)?.get(wanted[0]) : undefined
      return locked === undefined
        ? this.#session.read(read)
        : Effect.map(this.#session.rows(locked), (rows) => rows.map(([, ...row]) => row))
    }
    return this.#queued.some(({ shape }) => shape.table === columnName(table.name))
      ? Effect.andThen(this.#flush, this.#session.read(read))
      : this.#session.read(read)
  }
}

const isRefusedLock = (failure: StoreFailure | undefined): boolean =>
  failure?.code === lockTimeout || failure?.code === deadlockDetected

/** A view has nothing to commit, so its COMMIT is not awaited. */
export const endView = (session: Session): Effect.Effect<CommitResult> =>
  Effect.sync(() => {
    session.submitLast("commit")
    return { _tag: "Committed" }
  })

/** Committed on this server, and perhaps on no other. */
const mayBeLost: StoreFailure = {
  code: outcomeUnknown,
  reason: "the synchronous standby was lost during COMMIT",
  raced: false
}
