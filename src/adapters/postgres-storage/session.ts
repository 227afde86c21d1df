/**
 * One connection during one attempt. Statements are sent in the order of submission, without waiting for the answers of
 * earlier ones; each has its own snapshot. Only the first failure counts, since all later statements fail because of
 * it.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AttemptFailure, type StoreFailure } from "../../ports/storage/transaction-retry.ts"
import { failureOf } from "./failure.ts"
import { combineReads, type Read } from "./combined-reads.ts"
import type { Statement } from "./statements.ts"

export type Rows = ReadonlyArray<ReadonlyArray<unknown>>

export interface Counts {
  readonly statements: number
  /** How often the connection went from idle to waiting. */
  readonly roundTrips: number
}

export class Session {
  readonly connection: PgConnection.PgConnection
  readonly #racedKeys: ReadonlySet<string>
  #failure: StoreFailure | undefined
  #pendingReads: Array<PendingRead> = []
  #outstanding = 0
  #statements = 0
  #roundTrips = 0

  constructor(connection: PgConnection.PgConnection, racedKeys: ReadonlySet<string>) {
    this.connection = connection
    this.#racedKeys = racedKeys
    // Before the driver writes: the first reads then share a round trip with BEGIN and the locks.
    queueMicrotask(() => this.#sendReads())
  }

  get failure(): StoreFailure | undefined {
    return this.#failure
  }

  get isQuiet(): boolean {
    return this.#outstanding === 0
  }

  get counts(): Counts {
    return { statements: this.#statements, roundTrips: this.#roundTrips }
  }

  /** Sends a statement now. Its fiber belongs to no caller: an interrupted reader must not cancel a queued statement. */
  submit(statement: Statement): Fiber.Fiber<Rows, SqlError> {
    const { sql, parameters, label } = statement
    return this.#send(this.connection.queryValues(sql, parameters), label)
  }

  /** The rows; dies where this or an earlier statement failed. Simultaneous reads are sent together. */
  read(read: Read): Effect.Effect<Rows> {
    return Effect.callback((resume) => {
      if (this.#pendingReads.length === 0) queueMicrotask(() => this.#sendReads())
      this.#pendingReads.push({ read, resume })
    })
  }

  /** BEGIN, COMMIT and ROLLBACK: never prepared, since a repetition could be sent out of order. */
  submitControl(sql: string): Fiber.Fiber<string, SqlError> {
    return this.#send(
      Effect.map(this.connection.query(sql, [], false), (result) => result.command),
      sql
    )
  }

  /** Ends the transaction without waiting: the connection's next user waits behind it. */
  submitLast(sql: "commit" | "rollback"): void {
    const roundTrips = this.#roundTrips
    this.submitControl(sql)
    this.#roundTrips = roundTrips
  }

  /** Waits for a submitted statement; dies where it or an earlier one failed. */
  rows(submitted: Fiber.Fiber<Rows, SqlError>): Effect.Effect<Rows> {
    return Effect.flatMap(Fiber.await(submitted), (exit) =>
      Exit.isSuccess(exit) && this.#failure === undefined
        ? Effect.succeed(exit.value)
        : Effect.die(new AttemptFailure(this.#failure?.reason))
    )
  }

  #sendReads(): void {
    for (const { statement, answers } of combineReads(this.#pendingReads.splice(0))) {
      const submitted = this.submit(statement)
      for (const { asked, pick } of answers) asked.resume(Effect.map(this.rows(submitted), pick))
    }
  }

  #send<A>(query: Effect.Effect<A, SqlError>, label: string): Fiber.Fiber<A, SqlError> {
    // Pending reads come first.
    if (this.#pendingReads.length > 0) this.#sendReads()
    this.#statements += 1
    if (this.#outstanding === 0) this.#roundTrips += 1
    this.#outstanding += 1
    return Effect.runFork(
      Effect.onExit(query, (exit) =>
        Effect.sync(() => {
          this.#outstanding -= 1
          if (Exit.isFailure(exit)) this.#failure ??= failureOf(exit.cause, label, this.#racedKeys)
        })
      )
    )
  }
}

interface PendingRead {
  readonly read: Read
  readonly resume: (answer: Effect.Effect<Rows>) => void
}
