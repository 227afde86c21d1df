/**
 * The database's record of its installation: the epoch of its credentials, the issuer keys that may have signed its
 * history, and the secret key that its stored secrets need. It is read once when a process starts.
 */
import { type PgConnection, PgTypes } from "@effect/sql-pg"
import { Context, Data, Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { SchemaRange } from "../migrations/migration.ts"
import type { IssuerKeys } from "../ports/signer.ts"
import { limits } from "../vocabulary/limits.ts"
import { DatabaseNotUsable, openAtStart } from "./database-start.ts"
import type { SessionOptions } from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"
import { type ContractRunning, register, type SchemaMismatch } from "./schema-registration.ts"
import { sqlMessage } from "./sql-message.ts"

export interface InstallationRecord {
  /** Empty until `countersign admin after-restore` begins one. */
  readonly epoch: string
  /** Every key that was valid while a process held it. */
  readonly issuerKeyIds: ReadonlyArray<string>
  /** The key with which the newest start encrypted secrets; null before the first start. */
  readonly secretKeyId: string | null
}

/** The keys of this process, by their ids. */
export interface ConfiguredKeys {
  readonly issuerKeys: ReadonlyArray<Pick<IssuerKeys["keys"][number], "kid" | "validFrom" | "validUntil">>
  readonly secretKeyIds: readonly [current: string, ...previous: ReadonlyArray<string>]
}

export class RecordedInstallation extends Context.Service<
  RecordedInstallation,
  InstallationRecord & {
    /**
     * Records the keys of this process, unless `check` finds recorded ones missing among them. Processes that start at once
     * do this one after another.
     */
    readonly record: <E>(
      keys: ConfiguredKeys,
      check: (recorded: InstallationRecord) => Effect.Effect<void, E>
    ) => Effect.Effect<void, E | RecordedInstallationError>
  }
>()("countersign/adapters/RecordedInstallation") {}

export class RecordedInstallationError extends Data.TaggedError("RecordedInstallationError")<{
  readonly message: string
}> {}

/** Reads the record of a database with this program's schema. */
export const readRecorded = Effect.fnUntraced(function* (options: ConnectionOptions, schema: SchemaRange) {
  const registered = <A, E>(use: (session: PgConnection.PgConnection) => Effect.Effect<A, E | SqlError>) =>
    withSession(options, limits.databaseStart, (session) =>
      Effect.andThen(Effect.mapError(register(session, schema), registrationFailed), use(session))
    )
  const recorded = yield* registered(read)
  return RecordedInstallation.of({
    ...recorded,
    record: (keys, check) =>
      registered((session) =>
        Effect.gen(function* () {
          yield* session.query("begin", [], false)
          yield* session.query("select from countersign_installation for update")
          yield* check(yield* read(session))
          yield* write(session, keys)
          yield* session.query("commit", [], false)
        })
      )
  })
})

/** The same for a database of any schema, for which it waits up to `waitMilliseconds`; writes nothing. */
export const findRecorded = (options: ConnectionOptions, waitMilliseconds: number) =>
  withSession(options, waitMilliseconds, (session) =>
    Effect.gen(function* () {
      const [row] = yield* session.queryValues(
        "select to_regclass('countersign_installation') is not null and to_regclass('countersign_issuer_keys') is not null"
      )
      return row?.[0] === true ? yield* read(session) : nothing
    })
  )

const nothing: InstallationRecord = { epoch: "", issuerKeyIds: [], secretKeyId: null }

const read = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  const [installation] = yield* session.queryValues("select epoch, secret_key_id from countersign_installation")
  const kids = yield* session.queryValues(
    "select kid from countersign_issuer_keys where valid_from <= clock_timestamp() order by kid"
  )
  const [epoch, secretKeyId] = installation ?? []
  return {
    epoch: String(epoch ?? ""),
    issuerKeyIds: kids.map(([kid]) => String(kid)),
    secretKeyId: secretKeyId === null || secretKeyId === undefined ? null : String(secretKeyId)
  } satisfies InstallationRecord
})

/** A key that is not valid yet has signed nothing: until then its entry follows the configuration. An expired one signs nothing more. */
const write = Effect.fnUntraced(function* (session: PgConnection.PgConnection, keys: ConfiguredKeys) {
  yield* session.query("delete from countersign_issuer_keys where valid_from > clock_timestamp()")
  for (const { kid, validFrom, validUntil } of keys.issuerKeys) {
    yield* session.query(
      "insert into countersign_issuer_keys (kid, valid_from) select $1, $2::timestamptz" +
        " where $3::timestamptz > clock_timestamp() on conflict do nothing",
      [PgTypes.text(kid), PgTypes.text(validFrom), PgTypes.text(validUntil)]
    )
  }
  const [current] = keys.secretKeyIds
  yield* session.query(
    "update countersign_installation set secret_key_id = $1 where secret_key_id is distinct from $1",
    [PgTypes.text(current)]
  )
})

const session: SessionOptions = {
  applicationName: "countersign start",
  settings: { statement_timeout: `${limits.databaseStatement / 1000}s`, TimeZone: "UTC" },
  multiplex: false
}

const withSession = <A, E>(
  options: ConnectionOptions,
  waitMilliseconds: number,
  use: (connection: PgConnection.PgConnection) => Effect.Effect<A, E | SqlError>
): Effect.Effect<A, Exclude<E, SqlError> | RecordedInstallationError> =>
  Effect.flatMap(openAtStart(options, session, waitMilliseconds), ({ connection, answered }) =>
    answered(use(connection))
  ).pipe(Effect.scoped, Effect.mapError(asRecordedError))

const registrationFailed = (error: SqlError | SchemaMismatch | ContractRunning) =>
  isSqlError(error) ? error : new RecordedInstallationError({ message: error.message })

const asRecordedError = <E>(
  error: E | SqlError | DatabaseNotUsable
): Exclude<E, SqlError> | RecordedInstallationError => {
  if (error instanceof DatabaseNotUsable) return new RecordedInstallationError({ message: error.message })
  if (!isSqlError(error)) return error as Exclude<E, SqlError>
  return new RecordedInstallationError({
    message: `the record of this installation cannot be read or written: ${sqlMessage(error)}`
  })
}
