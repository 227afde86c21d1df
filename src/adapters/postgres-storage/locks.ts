/** How a lock key is locked in Postgres: by its row, or by an advisory lock. */
import { createHash } from "node:crypto"
import { PgTypes } from "@effect/sql-pg"
import type { LockKey } from "../../ports/storage.ts"
import { canBeShared, type AnyTable, type LockKind, type SharedLockKind } from "../../ports/table.ts"
import { lockRow, transactionId, type Statement } from "./statements.ts"

/** The table whose rows are the lock keys of a kind; a kind without one is locked by an advisory lock. */
export type LockTables = { readonly [K in Exclude<LockKind, SharedLockKind>]?: AnyTable }

/** A lock by a row answers with the transaction's id and the row. */
export interface LockStatement {
  readonly statement: Statement
  /** The kind of its last lock. */
  readonly kind: LockKind
  readonly row?: { readonly table: AnyTable; readonly id: string }
}

/** The statements that take these locks, in this order. Adjacent advisory locks share one statement. */
export const lockStatements = (lockTables: LockTables, locks: ReadonlyArray<LockKey>): ReadonlyArray<LockStatement> => {
  const statements: Array<LockStatement> = []
  let advisory: Array<LockKey> = []
  for (const lock of locks) {
    const table = canBeShared(lock.kind) ? undefined : lockTables[lock.kind]
    if (table === undefined) advisory.push(lock)
    else {
      if (advisory.length > 0) statements.push(advisoryLock(advisory))
      statements.push({ statement: lockRow(table, lock.id), kind: lock.kind, row: { table, id: lock.id } })
      advisory = []
    }
  }
  return advisory.length > 0 ? [...statements, advisoryLock(advisory)] : statements
}

/**
 * The columns of a row are computed from left to right, which is the order of the locks. A transaction with an exclusive
 * lock will write: it learns its id, so that COMMIT need not wait for the answer to the first write.
 */
const advisoryLock = (locks: ReadonlyArray<LockKey>): LockStatement => {
  const taken = locks.map(
    ({ mode }, index) => `pg_advisory_xact_lock${mode === "shared" ? "_shared" : ""}($${index + 1})`
  )
  const id = locks.some(({ mode }) => mode === "exclusive") ? [transactionId] : []
  return {
    kind: locks.at(-1)!.kind,
    statement: {
      sql: `select ${[...taken, ...id].join(", ")}`,
      parameters: locks.map((lock) => PgTypes.int8(advisoryKey(lock))),
      label: `lock ${locks.map((lock) => lock.kind).join(", ")}`
    }
  }
}

/** Two lock keys with the same number only wait for each other needlessly. */
const advisoryKey = (lock: LockKey): bigint =>
  createHash("sha256").update(`${lock.kind}:${lock.id}`).digest().readBigInt64BE()
