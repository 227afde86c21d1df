/** Checks the database without migrating or starting it. */
import * as path from "node:path"
import { Data, Effect, Option } from "effect"
import { migrations } from "../../migrations/all.ts"
import { schemaRangeOf } from "../../migrations/migration.ts"
import { Storage, StorageUnavailable, type Health } from "../../ports/storage.ts"
import { lockTables, tables } from "../../tables.ts"
import { limits } from "../../vocabulary/limits.ts"
import { newEpochRequired, requiresNewEpoch } from "../backup/restore.ts"
import type { Settings } from "../configuration.ts"
import { openOrJoin } from "../embedded-postgres.ts"
import { installedBinaries } from "../embedded-postgres/binaries.ts"
import { hasCluster, ownerOf } from "../embedded-postgres/cluster.ts"
import { expandsOf, type MigrationPlan, titleOf } from "../migration-plan.ts"
import { readPlan } from "../migrator.ts"
import type { ConnectionOptions } from "../postgres-storage/connections.ts"
import * as PostgresStorage from "../postgres-storage/layer.ts"
import { findRecorded } from "../recorded-installation.ts"
import { isEmbedded } from "./files.ts"
import { findingOf, ok, problem, problemWith, skipped, type Finding } from "./finding.ts"
import { absentKeyFindings, recordedKeyFindings } from "./keys.ts"

type Findings = Effect.Effect<ReadonlyArray<Finding>>

export const databaseFindings = (settings: Settings): Findings => {
  const { databaseUrl, dataDirectory } = settings.configuration
  if (Option.isSome(databaseUrl)) return examine(settings, "DATABASE_URL", { url: databaseUrl.value })
  if (!isEmbedded(settings)) return Effect.succeed([skipped("DATABASE_URL: not of its form")])
  const directory = path.resolve(dataDirectory, "database")
  const waiting = requiresNewEpoch(dataDirectory) ? [problem(`DATA_DIR: ${newEpochRequired(dataDirectory)}`)] : []
  return ownerOf(directory).pipe(
    Effect.flatMap((owner) =>
      owner === undefined ? stoppedFindings(settings, directory) : runningFindings(settings, directory, owner)
    ),
    Effect.catch(({ message }) => Effect.succeed([problem(`DATA_DIR: ${message}`)])),
    Effect.map((findings) => [...waiting, ...findings])
  )
}

const stoppedFindings = (settings: Settings, directory: string): Findings =>
  Effect.map(
    findingOf(installedBinaries, {
      variable: "DATA_DIR",
      onSuccess: () => "the binaries of Postgres are installed; the database does not run now, and a start looks at it"
    }),
    (finding) => [finding, ...(hasCluster(directory) ? absentKeyFindings(settings) : [])]
  )

/** Beside the server that owns it. */
const runningFindings = (settings: Settings, directory: string, owner: string): Findings =>
  Effect.gen(function* () {
    const connection = yield* openOrJoin(directory)
    const inUse = problem(`DATA_DIR: ${directory} is in use by ${owner}: another serve on it does not start`)
    return [inUse, ...(yield* examine(settings, "DATA_DIR", connection))]
  }).pipe(
    Effect.scoped,
    Effect.catch(({ message }) => Effect.succeed([problem(`DATA_DIR: ${message}`)]))
  )

class Unreachable extends Data.TaggedError("Unreachable")<{ readonly message: string }> {}

/** Milliseconds to wait for a database that takes writes: less than a start, but enough for a primary that starts up. */
const databaseWait = 2_000

/** Opened as by a start, which detects a standby and a pooler that keeps no sessions, and then examined. */
const examine = (settings: Settings, variable: string, connection: ConnectionOptions): Findings =>
  Effect.gen(function* () {
    const recorded = yield* findRecorded(connection, databaseWait)
    const { requireSyncStandby } = settings.configuration
    const health = yield* healthOf(connection, requireSyncStandby)
    return [
      ok(`${variable}: the database takes writes`),
      yield* schemaFinding(variable, connection),
      clockFinding(variable, health),
      ...(requireSyncStandby ? [standbyFinding(variable, health)] : []),
      ...(yield* recordedKeyFindings(settings, variable, recorded))
    ]
  }).pipe(Effect.catch(({ message }) => Effect.succeed([problemWith(variable, message)])))

const healthOf = (connection: ConnectionOptions, requireStandby: boolean): Effect.Effect<Health, Unreachable> =>
  Effect.flatMap(Storage, ({ health }) => health).pipe(
    Effect.provide(
      PostgresStorage.layer({
        connection,
        maxConnections: 1,
        tables,
        lockTables,
        schema: schemaRangeOf(migrations),
        requireStandby
      })
    ),
    Effect.catchDefect((defect) =>
      defect instanceof StorageUnavailable
        ? Effect.fail(new Unreachable({ message: `the database cannot be used: ${defect.reason}` }))
        : Effect.die(defect)
    )
  )

const schemaFinding = (variable: string, connection: ConnectionOptions): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const plan = yield* readPlan(connection, migrations, databaseWait)
    return ok(`${variable}: ${schemaSentence(plan, yield* expandsOf(plan))}`)
  }).pipe(Effect.catch(({ message }) => Effect.succeed(problem(`${variable}: ${message}`))))

const schemaSentence = ({ schema, pending }: MigrationPlan, expands: MigrationPlan["pending"]): string => {
  const { newest } = schemaRangeOf(migrations)
  if (schema > newest) {
    return `the schema is ${schema}, newer than that of this program, ${newest}, which works with it`
  }
  const last = expands.at(-1)
  if (last !== undefined) {
    const names = expands.map(({ migration }) => migration.name)
    return `a start brings the schema from ${schema} to ${last.migration.id}: ${names.join(", ")}`
  }
  if (pending.length === 0) return `the schema is that of this program, ${newest}`
  const contracts = pending.map(({ migration }) => titleOf(migration))
  return (
    `the schema is one of this program, ${schema}; ${contracts.join(", ")} waits for \`countersign migrate --contract\`,` +
    " once no process of an older version runs"
  )
}

const clockFinding = (variable: string, { clockOffset }: Health): Finding => {
  const difference = `${variable}: the clocks of this machine and of the database differ by ${Math.round(Math.abs(clockOffset))} ms`
  return Math.abs(clockOffset) <= limits.clockOffset
    ? ok(difference)
    : problem(`${difference}: past ${limits.clockOffset} ms a server is not ready`)
}

const standbyFinding = (variable: string, { replicated }: Health): Finding =>
  replicated
    ? ok(`${variable}: commits wait for a synchronous standby`)
    : problem(
        `${variable}: REQUIRE_SYNC_STANDBY is set, and commits wait for no standby:` +
          " set synchronous_standby_names on the server, or a server accepts no command"
      )
