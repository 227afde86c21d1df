/**
 * Runs one migration. It waits for a lock for less time than the service waits behind it, and is then tried again. Each
 * step is recorded as done with its transaction, or after it where it can be repeated.
 */
import { type PgConnection, PgTypes } from "@effect/sql-pg"
import { Effect, Schedule } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Migration, Step } from "../migrations/migration.ts"
import { limits } from "../vocabulary/limits.ts"
import { checksumOf, MigrationError, titleOf, type PendingMigration } from "./migration-plan.ts"
import { boundStatements, exchangeStatements, validateBound } from "./partitions/partition-table.ts"
import { sqlMessage } from "./sql-message.ts"

type Session = PgConnection.PgConnection

/** Says what a migration does, for an operator who waits for it. */
export type NoteProgress = (text: string) => Effect.Effect<void>

export const runMigration = Effect.fnUntraced(function* (
  session: Session,
  { migration, stepsDone }: PendingMigration,
  note: NoteProgress
): Effect.fn.Return<void, MigrationError> {
  const { steps } = migration
  for (let index = stepsDone; index < steps.length; index++) {
    const title = `${titleOf(migration)}${steps.length === 1 ? "" : `, step ${index + 1} of ${steps.length}`}`
    const noteStep: NoteProgress = (text) => note(`${title}: ${text}`)
    if (steps.length > 1) yield* noteStep(describe(steps[index]!))
    yield* Effect.mapError(runStep(session, migration, index, noteStep), (error) => stepFailed(title, error))
  }
})

/** Tried again as long as another session holds its locks. */
export const untilUnblocked = <A>(work: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.retry(work, {
    while: isBlocked,
    schedule: Schedule.spaced(limits.migrationRetryPause),
    times: limits.migrationRetries
  })

export const lockTimeout = `${limits.migrationLockWait / 1000}s`

const runStep = (session: Session, migration: Migration, index: number, note: NoteProgress) => {
  const step = migration.steps[index]!
  const run = (sql: string) => session.query(sql, [], false)
  const begun = index === 0 ? recordBegun(session, migration) : Effect.void
  const done = recordDone(session, migration, index)
  switch (step.kind) {
    case "transaction":
      return inTransaction(run, Effect.succeed(step.statements), { begun, done })
    case "batches":
      return Effect.andThen(begun, Effect.andThen(runBatches(session, step.change, note), done))
    case "index":
      return Effect.andThen(begun, Effect.andThen(waitingFreely(run, buildIndex(session, step)), done))
    case "validation": {
      const validate = run(`alter table ${step.table} validate constraint ${step.constraint}`)
      return Effect.andThen(begun, Effect.andThen(waitingFreely(run, validate), done))
    }
    case "partitioning":
      return inTransaction(run, boundStatements(session, step), { begun, done: Effect.void }).pipe(
        Effect.andThen(waitingFreely(run, run(validateBound(step)))),
        Effect.andThen(inTransaction(run, exchangeStatements(session, step), { begun: Effect.void, done }))
      )
  }
}

interface Records {
  readonly begun: Effect.Effect<unknown, SqlError>
  readonly done: Effect.Effect<unknown, SqlError>
}

const inTransaction = (
  run: (sql: string) => Effect.Effect<unknown, SqlError>,
  statements: Effect.Effect<ReadonlyArray<string>, SqlError>,
  { begun, done }: Records
) =>
  untilUnblocked(
    Effect.gen(function* () {
      yield* run("begin")
      yield* begun
      for (const statement of yield* statements) yield* run(statement)
      yield* done
      yield* run("commit")
    }).pipe(Effect.tapError(() => Effect.ignore(run("rollback"))))
  )

const runBatches = Effect.fnUntraced(function* (session: Session, change: string, note: NoteProgress) {
  const batch = session.queryValues(`with batch as (${change} returning 1) select count(*) from batch`, [], false)
  let rows = 0
  for (let batches = 1; ; batches++) {
    const [counted] = yield* untilUnblocked(batch)
    const found = Number(counted![0])
    rows += found
    if (found === 0 || batches % limits.migrationProgressBatches === 0) {
      yield* note(`${rows} rows`)
    }
    if (found === 0) return
  }
})

/** An interrupted build leaves an invalid index under this name, or a valid one that is not recorded yet. */
const buildIndex = Effect.fnUntraced(function* (session: Session, { name, on, unique }: Step & { kind: "index" }) {
  const [row] = yield* session.queryValues(
    `select indisvalid from pg_index where indexrelid = to_regclass('${name}')`,
    [],
    false
  )
  if (row?.[0] === true) return
  if (row?.[0] === false) yield* session.query(`drop index concurrently ${name}`, [], false)
  yield* session.query(`create${unique === true ? " unique" : ""} index concurrently ${name} on ${on}`, [], false)
})

// These statements wait for transactions that began before, under a lock behind which no statement of the service waits.
const waitingFreely = <A>(run: (sql: string) => Effect.Effect<unknown, SqlError>, work: Effect.Effect<A, SqlError>) =>
  Effect.acquireUseRelease(
    run("set lock_timeout = 0"),
    () => work,
    () => Effect.ignore(run(`set lock_timeout = '${lockTimeout}'`))
  )

/** Before the first step that is not undone by a crash, so that no program takes the schema for that from before. */
const recordBegun = (session: Session, migration: Migration) =>
  session.query(
    "insert into countersign_migrations (id, name, checksum, kind, steps_left) values ($1, $2, $3, $4, $5)" +
      " on conflict (id) do nothing",
    [
      PgTypes.int8(BigInt(migration.id)),
      PgTypes.text(migration.name),
      PgTypes.text(checksumOf(migration)),
      PgTypes.text(migration.kind),
      PgTypes.int4(migration.steps.length)
    ]
  )

const recordDone = (session: Session, { id, steps }: Migration, index: number) =>
  session.query("update countersign_migrations set steps_left = $2, applied_at = clock_timestamp() where id = $1", [
    PgTypes.int8(BigInt(id)),
    PgTypes.int4(steps.length - index - 1)
  ])

const describe = (step: Step): string => {
  switch (step.kind) {
    case "transaction":
      return step.statements.length === 1 ? "one statement" : `${step.statements.length} statements`
    case "batches":
      return "rows in batches"
    case "index":
      return `index ${step.name}`
    case "validation":
      return `constraint ${step.constraint}`
    case "partitioning":
      return `partitions of ${step.table}`
  }
}

const stepFailed = (title: string, error: SqlError): MigrationError => {
  const next = isBlocked(error)
    ? "; other sessions held its locks through every attempt: end the oldest transaction in pg_stat_activity and run it again"
    : ""
  return new MigrationError({ message: `${title}: ${sqlMessage(error)}${next}` })
}

/** Not granted in time, or a deadlock with a transaction of the service. */
const isBlocked = (error: SqlError): boolean => {
  const { cause } = error.reason
  return (
    isSqlError(error) && cause instanceof Error && "code" in cause && (cause.code === "55P03" || cause.code === "40P01")
  )
}
