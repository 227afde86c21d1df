/**
 * One connection during one attempt. Statements are sent in the order of submission, without waiting for the answers of
 * earlier ones; each has its own snapshot. Only the first failure counts, since all later statements fail because of
 * it.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, type Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AttemptFailure, type StoreFailure } from "../../ports/storage/transaction-retry.ts"
import { failureOf } from "./failure.ts"
import { combineReads, type Read, type Rows } from "./combined-reads.ts"
import type { Statement } from "./statements.ts"

/** A statement that has been sent. */
export type Submitted = Fiber.Fiber<Rows, SqlError>

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
  #willSendReads = false
  #outstanding = 0
  #statements = 0
  #roundTrips = 0

  constructor(connection: PgConnection.PgConnection, racedKeys: ReadonlySet<string>) {
    this.connection = connection
    this.#racedKeys = racedKeys
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
  submit({ sql, parameters, label }: Statement): Submitted {
    return this.#send(this.connection.queryValues(sql, parameters), label)
  }

  /** The rows; dies where this or an earlier statement failed. Simultaneous reads are sent together. */
  read(read: Read): Effect.Effect<Rows> {
    return Effect.callback((resume) => {
      this.#pendingReads.push({ read, resume })
      this.#sendReadsSoon()
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
  rows(submitted: Submitted): Effect.Effect<Rows> {
    return Effect.suspend(() => {
      const exit = submitted.pollUnsafe()
      if (exit !== undefined) return this.#rowsIn(exit)
      return Effect.callback((resume) => {
        const remove = submitted.addObserver((ended) => resume(this.#rowsIn(ended)))
        return Effect.sync(remove)
      })
    })
  }

  #rowsIn(exit: Exit.Exit<Rows, SqlError>): Exit.Exit<Rows> {
    return Exit.isSuccess(exit) && this.#failure === undefined
      ? Exit.succeed(exit.value)
      : Exit.die(new AttemptFailure(this.#failure?.reason))
  }

  /** Before the driver writes what has been submitted: reads then share its round trip. */
  #sendReadsSoon(): void {
    if (this.#willSendReads) return
    this.#willSendReads = true
    queueMicrotask(() => {
      this.#sendReads()
      this.#willSendReads = false
    })
  }

  #sendReads(): void {
    if (this.#pendingReads.length === 0) return
    for (const { statement, answers } of combineReads(this.#pendingReads.splice(0))) {
      this.submit(statement).addObserver((exit) => {
        const rows = this.#rowsIn(exit)
        for (const { asked, pick } of answers) asked.resume(Exit.map(rows, pick))
      })
    }
  }

  #send<A>(query: Effect.Effect<A, SqlError>, label: string): Fiber.Fiber<A, SqlError> {
    // Pending reads come first.
    this.#sendReads()
    this.#sendReadsSoon()
    this.#statements += 1
    if (this.#outstanding === 0) this.#roundTrips += 1
    this.#outstanding += 1
    const sent = Effect.runFork(query)
    sent.addObserver((exit) => {
      this.#outstanding -= 1
      if (Exit.isFailure(exit)) this.#failure ??= failureOf(exit.cause, label, this.#racedKeys)
    })
    return sent
  }
}

interface PendingRead {
  readonly read: Read
  readonly resume: (answer: Effect.Effect<Rows>) => void
}
