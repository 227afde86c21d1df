/**
 * One connection during one attempt. Statements are sent in the order in which they are submitted, without waiting for
 * the answers of those before; each keeps its own snapshot. The first failure is the one that counts, since all later
 * statements fail because of it.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AttemptFailed, type Failure } from "../../ports/attempts.ts"
import { failureOf } from "./failure.ts"
import { readTogether, type Read } from "./reads-together.ts"
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
  #failure: Failure | undefined
  #asked: Array<Asked> = []
  #outstanding = 0
  #statements = 0
  #roundTrips = 0

  constructor(connection: PgConnection.PgConnection, racedKeys: ReadonlySet<string>) {
    this.connection = connection
    this.#racedKeys = racedKeys
    // Before the driver writes: what is asked for at once then goes out with BEGIN and the locks.
    queueMicrotask(() => this.#sendAsked())
  }

  get failure(): Failure | undefined {
    return this.#failure
  }

  get isQuiet(): boolean {
    return this.#outstanding === 0
  }

  get counts(): Counts {
    return { statements: this.#statements, roundTrips: this.#roundTrips }
  }

  /** Sends a statement now. Its fiber belongs to no caller: an interrupted reader must not take back what is queued. */
  submit(statement: Statement): Fiber.Fiber<Rows, SqlError> {
    const { sql, parameters, label } = statement
    return this.#send(this.connection.queryValues(sql, parameters), label)
  }

  /** The rows; dies where this or a statement before it failed. What is asked for at the same moment goes out together. */
  read(read: Read): Effect.Effect<Rows> {
    return Effect.callback((resume) => {
      if (this.#asked.length === 0) queueMicrotask(() => this.#sendAsked())
      this.#asked.push({ read, resume })
    })
  }

  /** BEGIN, COMMIT and ROLLBACK: never a prepared statement, which a second try could send out of order. */
  submitControl(sql: string): Fiber.Fiber<string, SqlError> {
    return this.#send(
      Effect.map(this.connection.query(sql, [], false), (result) => result.command),
      sql
    )
  }

  /** Ends the transaction without waiting for it: whoever uses the connection next waits behind it. */
  submitLast(sql: "commit" | "rollback"): void {
    const waited = this.#roundTrips
    this.submitControl(sql)
    this.#roundTrips = waited
  }

  /** Waits for a submitted statement; dies where it or one before it failed. */
  rows(submitted: Fiber.Fiber<Rows, SqlError>): Effect.Effect<Rows> {
    return Effect.flatMap(Fiber.await(submitted), (exit) =>
      Exit.isSuccess(exit) && this.#failure === undefined
        ? Effect.succeed(exit.value)
        : Effect.die(new AttemptFailed(this.#failure?.reason))
    )
  }

  #sendAsked(): void {
    for (const { statement, answers } of readTogether(this.#asked.splice(0))) {
      const submitted = this.submit(statement)
      for (const { asked, pick } of answers) asked.resume(Effect.map(this.rows(submitted), pick))
    }
  }

  #send<A>(query: Effect.Effect<A, SqlError>, label: string): Fiber.Fiber<A, SqlError> {
    // What was asked for first goes first.
    if (this.#asked.length > 0) this.#sendAsked()
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

interface Asked {
  readonly read: Read
  readonly resume: (answer: Effect.Effect<Rows>) => void
}
