/**
 * What shows that a transaction was committed. `pg_xact_status` alone does not: a server that crashes before a COMMIT
 * reached its disk gives the number of the lost transaction to another one, and tells that one's fate. A row that only
 * this transaction can have written is there if and only if it was committed.
 */
import { randomBytes } from "node:crypto"
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import type { StoredRow } from "../../ports/stored-values.ts"
import type { AnyTable } from "../../ports/table.ts"
import { rowExists, type Statement } from "./statements.ts"
import type { Write } from "./writes.ts"

/** A condition in SQL, its parameters numbered from `first`. */
export type Proof = (first: number) => Omit<Statement, "label">

/** Part of every installation, beside the record of its migrations. One row for each connection that wrote. */
export const proofTable = `create table if not exists countersign_proofs (
  connection text collate "C" not null primary key,
  transaction bigint not null
)`

/** For a row of an append-only table, which nobody removes. */
export const provenByRow =
  (table: AnyTable, row: StoredRow): Proof =>
  (first) =>
    rowExists(table, row, first)

/** For a transaction that inserts no such row: a row of its connection, which is never used again once in doubt. */
export const provenByConnection = (
  connection: PgConnection.PgConnection
): { readonly write: Write; readonly proof: Proof } => {
  const known = written.get(connection) ?? { name: randomBytes(16).toString("hex"), transactions: 0 }
  written.set(connection, known)
  known.transactions += 1
  const parameters = [PgTypes.text(known.name), PgTypes.int8(BigInt(known.transactions))]
  return {
    write: {
      kind: "change",
      table: "countersign_proofs",
      sql:
        "insert into countersign_proofs (connection, transaction) values ($1, $2)" +
        " on conflict (connection) do update set transaction = excluded.transaction",
      parameters,
      label: "prove the commit"
    },
    proof: (first) => ({
      sql: `exists (select from countersign_proofs where connection = $${first} and transaction = $${first + 1})`,
      parameters
    })
  }
}

const written = new WeakMap<PgConnection.PgConnection, { readonly name: string; transactions: number }>()
