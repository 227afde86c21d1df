/** Checks the database without migrating or starting it. */
import * as path from "node:path"
import { Data, Effect, Option } from "effect"
import { migrations } from "../../migrations/all.ts"
import { Storage, StorageUnavailable, type Health } from "../../ports/storage.ts"
import { lockTables, tables } from "../../tables.ts"
import { limits } from "../../vocabulary/limits.ts"
import { newEpochRequired, requiresNewEpoch } from "../backup/restore.ts"
import type { Settings } from "../configuration.ts"
import { openOrJoin } from "../embedded-postgres.ts"
import { installedBinaries } from "../embedded-postgres/binaries.ts"
import { hasCluster, ownerOf } from "../embedded-postgres/cluster.ts"
import { newestOf } from "../migrator.ts"
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
      schemaFinding(variable, health),
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
        schemaWanted: newestOf(migrations),
        requireStandby
      })
    ),
    Effect.catchDefect((defect) =>
      defect instanceof StorageUnavailable
        ? Effect.fail(new Unreachable({ message: `the database cannot be used: ${defect.reason}` }))
        : Effect.die(defect)
    )
  )

const schemaFinding = (variable: string, { schema: { found, wanted } }: Health): Finding => {
  if (found > wanted) {
    return problem(`${variable}: the database has migration ${found}, newer than this program, which knows ${wanted}`)
  }
  const pending = migrations.slice(found).map(({ name }) => name)
  return ok(
    pending.length === 0
      ? `${variable}: the schema is that of this program, ${found}`
      : `${variable}: a start brings the schema from ${found} to ${wanted}: ${pending.join(", ")}`
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
