/** A forward-only change of the database schema, applied in one transaction. */

export interface Migration {
  /** Consecutive numbers from 1. */
  readonly id: number
  readonly name: string
  /** SQL, executed in order. */
  readonly statements: ReadonlyArray<string>
}
