/**
 * One connection during one attempt. Statements are sent in the order of submission, without waiting for the answers of
 * earlier ones; each has its own snapshot. Only the first failure counts, since all later statements fail because of
 * it.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Exit, type Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AttemptFailure, type StoreFailure } from "../../ports/storage/transaction-retry.ts"
import { failureOf } from "./failure.ts"
import { combineReads, type Read, type Rows } from "./combined-reads.ts"
import type { Statement } from "./statements.ts"

/** The answer to a submitted statement. */
export type PendingAnswer = Deferred.Deferred<Rows, SqlError>

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
  /** Statements in their order, sent together: the driver writes at the end of each answer, before later ones are known. */
  #unsent: Array<UnsentStatement> = []
  #willSend = false
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
    return this.#outstanding === 0 && this.#unsent.length === 0
  }

  get counts(): Counts {
    return { statements: this.#statements, roundTrips: this.#roundTrips }
  }

  /**
   * Its answer belongs to no caller: an interrupted reader must not cancel a queued statement. `onAnswer` is called when
   * the answer arrives, before its readers.
   */
  submit(statement: Statement, onAnswer: (isSuccess: boolean) => void = () => {}): PendingAnswer {
    const submitted = Deferred.makeUnsafe<Rows, SqlError>()
    this.#queue(statement, (exit) => {
      onAnswer(Exit.isSuccess(exit))
      Deferred.doneUnsafe(submitted, exit)
    })
    return submitted
  }

  /** The rows; dies where this or an earlier statement failed. Simultaneous reads are sent together. */
  read(read: Read): Effect.Effect<Rows> {
    return Effect.callback((resume) => {
      this.#pendingReads.push({ read, resume })
      this.#sendSoon()
    })
  }

  /** BEGIN, COMMIT and ROLLBACK: never prepared, since a repetition could be sent out of order. */
  submitControl(sql: string): Fiber.Fiber<string, SqlError> {
    this.#sendUnsent()
    // Before the driver writes: statements that follow then share its round trip.
    this.#sendSoon()
    const query = Effect.map(this.connection.query(sql, [], false), (result) => result.command)
    return this.#send(query, sql, () => {})
  }

  /** Ends the transaction without waiting: the connection's next user waits behind it. */
  submitLast(sql: "commit" | "rollback"): void {
    const roundTrips = this.#roundTrips
    this.submitControl(sql)
    this.#roundTrips = roundTrips
  }

  /** Waits for a submitted statement; dies where it or an earlier one failed. */
  rows(submitted: PendingAnswer): Effect.Effect<Rows> {
    return Effect.flatMap(Effect.exit(Deferred.await(submitted)), (exit) => this.#rowsIn(exit))
  }

  #rowsIn(exit: Exit.Exit<Rows, SqlError>): Exit.Exit<Rows> {
    return Exit.isSuccess(exit) && this.#failure === undefined
      ? Exit.succeed(exit.value)
      : Exit.die(new AttemptFailure(this.#failure?.reason))
  }

  #sendSoon(): void {
    if (this.#willSend) return
    this.#willSend = true
    queueMicrotask(() => {
      this.#willSend = false
      this.#sendUnsent()
    })
  }

  /** Pending reads come first. */
  #queue(statement: Statement, onExit: UnsentStatement["onExit"]): void {
    this.#combinePendingReads()
    this.#unsent.push({ statement, onExit })
    this.#sendSoon()
  }

  #combinePendingReads(): void {
    if (this.#pendingReads.length === 0) return
    for (const { statement, answers } of combineReads(this.#pendingReads.splice(0))) {
      const onExit = (exit: Exit.Exit<Rows, SqlError>) => {
        const rows = this.#rowsIn(exit)
        for (const { asked, pick } of answers) asked.resume(Exit.map(rows, pick))
      }
      this.#unsent.push({ statement, onExit })
    }
  }

  #sendUnsent(): void {
    this.#combinePendingReads()
    for (const { statement, onExit } of this.#unsent.splice(0)) {
      const { sql, parameters, label } = statement
      this.#send(this.connection.queryValues(sql, parameters), label, onExit)
    }
  }

  #send<A>(
    query: Effect.Effect<A, SqlError>,
    label: string,
    onExit: (exit: Exit.Exit<A, SqlError>) => void
  ): Fiber.Fiber<A, SqlError> {
    this.#statements += 1
    if (this.#outstanding === 0) this.#roundTrips += 1
    this.#outstanding += 1
    const sent = Effect.runFork(query)
    sent.addObserver((exit) => {
      this.#outstanding -= 1
      if (Exit.isFailure(exit)) this.#failure ??= failureOf(exit.cause, label, this.#racedKeys)
      onExit(exit)
    })
    return sent
  }
}

interface UnsentStatement {
  readonly statement: Statement
  readonly onExit: (exit: Exit.Exit<Rows, SqlError>) => void
}

interface PendingRead {
  readonly read: Read
  readonly resume: (answer: Effect.Effect<Rows>) => void
}
