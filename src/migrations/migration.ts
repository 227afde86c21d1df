/** Forward-only changes of the database schema, and the schemas that a program works with. */

export interface Migration {
  /** Consecutive numbers from 1. */
  readonly id: number
  readonly name: string
  /** After an expand the previous version continues to work; a contract takes away what only earlier versions use. */
  readonly kind: "expand" | "contract"
  /** Executed in order. A migration that was interrupted continues with its first step that is not recorded as done. */
  readonly steps: ReadonlyArray<Step>
}

export type Step =
  /** In one transaction, together with its record. */
  | { readonly kind: "transaction"; readonly statements: ReadonlyArray<string> }
  /** An UPDATE or DELETE of a limited number of rows, repeated, each time in a transaction of its own, until it finds no row. */
  | { readonly kind: "batches"; readonly change: string }
  /** An index that is built while the table is in use; `on` is the table with the columns and the rest of the statement. */
  | { readonly kind: "index"; readonly name: string; readonly on: string; readonly unique?: true }
  /** Validates a constraint that was added as `not valid`. */
  | { readonly kind: "validation"; readonly table: string; readonly constraint: string }
  /**
   * Replaces a table by one that is partitioned by the month of an instant column, without reading its rows under a lock.
   * `keyIndex` is a unique index of its primary key and that column, which becomes the primary key.
   */
  | { readonly kind: "partitioning"; readonly table: string; readonly by: string; readonly keyIndex: string }

/** The schemas that a program works with: those with a migration from `oldest` to `newest` as their newest one. */
export interface SchemaRange {
  readonly oldest: number
  readonly newest: number
}

/** A program needs every expand that it knows; the contracts after the last of them may be pending. */
export const schemaRangeOf = (migrations: ReadonlyArray<Migration>): SchemaRange => ({
  oldest: migrations.findLast(({ kind }) => kind === "expand")?.id ?? 0,
  newest: migrations.at(-1)?.id ?? 0
})
