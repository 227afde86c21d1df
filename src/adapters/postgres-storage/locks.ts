/** How a root is locked in Postgres: by its row, or by a number that stands for it. */
import { createHash } from "node:crypto"
import { PgTypes } from "@effect/sql-pg"
import type { Root } from "../../ports/storage.ts"
import { canBeShared, type AnyTable, type RootKind, type SharedRootKind } from "../../ports/table.ts"
import { lockRow, type Statement } from "./statements.ts"

/** The table whose rows are the roots of a kind; a kind without one is locked by an advisory lock. */
export type RootTables = { readonly [K in Exclude<RootKind, SharedRootKind>]?: AnyTable }

/** The statements that lock these roots, in this order. Neighbours without a row are locked by one statement. */
export const locksOf = (rootTables: RootTables, roots: ReadonlyArray<Root>): ReadonlyArray<Statement> => {
  const statements: Array<Statement> = []
  let unlocked: Array<Root> = []
  for (const root of roots) {
    const table = canBeShared(root.kind) ? undefined : rootTables[root.kind]
    if (table === undefined) unlocked.push(root)
    else {
      if (unlocked.length > 0) statements.push(lockByNumber(unlocked))
      statements.push(lockRow(table, root.id))
      unlocked = []
    }
  }
  return unlocked.length > 0 ? [...statements, lockByNumber(unlocked)] : statements
}

/** The columns of a row are computed from left to right, which is the order of the roots. */
const lockByNumber = (roots: ReadonlyArray<Root>): Statement => ({
  sql: `select ${roots
    .map(({ mode }, index) => `pg_advisory_xact_lock${mode === "shared" ? "_shared" : ""}($${index + 1})`)
    .join(", ")}`,
  parameters: roots.map((root) => PgTypes.int8(advisoryKey(root))),
  label: `lock ${roots.map((root) => root.kind).join(", ")}`
})

/** Two roots that share a number only wait for each other without need. */
const advisoryKey = (root: Root): bigint =>
  createHash("sha256").update(`${root.kind}:${root.id}`).digest().readBigInt64BE()
