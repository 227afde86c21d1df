/** A forward-only change of the database schema, applied in a transaction of its own. */

export interface Migration {
  /** Counts from 1 without a gap. */
  readonly id: number
  readonly name: string
  /** SQL, executed in order. */
  readonly statements: ReadonlyArray<string>
}
