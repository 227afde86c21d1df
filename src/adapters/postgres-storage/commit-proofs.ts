/**
 * The evidence that a transaction was committed. `pg_xact_status` alone is none: a server that crashes before a COMMIT
 * reached its disk assigns the id of the lost transaction to another one, and reports that one's status. A row that only
 * this transaction can have written exists if and only if the transaction was committed.
 */
import { randomBytes } from "node:crypto"
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import type { StoredRow } from "../../ports/storage/stored-values.ts"
import type { AnyTable } from "../../ports/table.ts"
import { rowExists, type Statement } from "./statements.ts"
import type { Write, WriteShape } from "./writes.ts"

/** A condition in SQL, its parameters numbered from `first`. */
export type CommitProof = (first: number) => Omit<Statement, "label">

/** Part of every installation, beside the record of its migrations. One row for each connection that has written. */
export const proofTable = `create table if not exists countersign_proofs (
  connection text collate "C" not null primary key,
  transaction bigint not null
)`

/** For a row of a table that declares it: no other transaction writes an equal row, and none changes or removes it. */
export const rowProof =
  (table: AnyTable, row: StoredRow): CommitProof =>
  (first) =>
    rowExists(table, row, first)

/** For a transaction without such a row: a row of its connection, which is not used again after an indeterminate COMMIT. */
export const connectionProof = (
  connection: PgConnection.PgConnection
): { readonly write: Write; readonly proof: CommitProof } => {
  const entry = writers.get(connection) ?? { name: randomBytes(16).toString("hex"), transactions: 0 }
  writers.set(connection, entry)
  entry.transactions += 1
  const parameters = [PgTypes.text(entry.name), PgTypes.int8(BigInt(entry.transactions))]
  return {
    write: { shape: proofWrite, parameters },
    proof: (first) => ({
      sql: `exists (select from countersign_proofs where connection = $${first} and transaction = $${first + 1})`,
      parameters
    })
  }
}

const proofWrite: WriteShape = {
  kind: "change",
  table: "countersign_proofs",
  sql:
    "insert into countersign_proofs (connection, transaction) values ($1, $2)" +
    " on conflict (connection) do update set transaction = excluded.transaction",
  label: "prove the commit"
}

const writers = new WeakMap<PgConnection.PgConnection, { readonly name: string; transactions: number }>()
