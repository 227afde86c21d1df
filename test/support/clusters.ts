/** A primary and a streaming standby on TCP ports of this machine, from the embedded binaries, without a layer. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted, Schedule, type Scope } from "effect"
import { findBinaries, type Binaries } from "../../src/adapters/embedded-postgres/binaries.ts"
import { makeCluster, readPassword, username } from "../../src/adapters/embedded-postgres/cluster.ts"
import { postgresUser } from "../../src/adapters/embedded-postgres/paths.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { temporaryDirectory } from "./installation.ts"
import { freePort } from "./server.ts"

export interface Cluster {
  readonly port: number
  readonly connection: ConnectionOptions
  readonly start: (...settings: ReadonlyArray<string>) => Effect.Effect<void>
  /** Immediately, as in a power failure. */
  readonly stop: Effect.Effect<void>
}

export interface Clusters {
  readonly primary: Cluster
  readonly standby: Cluster
  readonly password: string
}

/** The data directories of both, not running. The standby is a copy of the primary and follows it. */
export const primaryAndStandby = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const user = postgresUser()
  const binaries = yield* findBinaries(directory, user)
  const secret = yield* readPassword(directory)
  const password = Redacted.value(secret)
  const data = yield* makeCluster(directory, binaries, user, secret)
  const copy = path.join(directory, "standby")
  spawnSync("cp", ["-a", data, copy])
  const primary = yield* clusterAt({ data, port: yield* freePort, binaries, password })
  const standby = yield* clusterAt({ data: copy, port: yield* freePort, binaries, password })
  const follows = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${username} password=${password}'\n`
  fs.appendFileSync(path.join(copy, "postgresql.auto.conf"), follows)
  fs.writeFileSync(path.join(copy, "standby.signal"), "")
  return { primary, standby, password } satisfies Clusters
})

export const urlOfHosts = (password: string, ...clusters: ReadonlyArray<Cluster>): string =>
  `postgres://${username}:${encodeURIComponent(password)}@` +
  `${clusters.map(({ port }) => `127.0.0.1:${port}`).join(",")}/postgres`

interface ClusterLocation {
  readonly data: string
  readonly port: number
  readonly binaries: Binaries
  readonly password: string
}

const clusterAt = Effect.fnUntraced(function* ({
  data,
  port,
  binaries,
  password
}: ClusterLocation): Effect.fn.Return<Cluster, never, Scope.Scope> {
  const url = `postgres://${username}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  const connection = { url: Redacted.make(url) }
  let child: ChildProcess | undefined
  const stop = Effect.promise(async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGQUIT")
    await once(child, "exit")
  })
  const start: Cluster["start"] = (...settings) =>
    Effect.gen(function* () {
      const all = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", ...settings]
      const options = { ...postgresUser(), cwd: "/", stdio: "ignore" } as const
      child = spawn(binaries.postgres, ["-D", data, ...all.flatMap((setting) => ["-c", setting])], options)
      yield* untilAnswered(connection)
    })
  yield* Effect.addFinalizer(() => stop)
  return { port, connection, start, stop }
})

/** Waits until the server accepts or refuses connections. */
const untilAnswered = (connection: ConnectionOptions) =>
  Effect.scoped(PgConnection.make(connection)).pipe(
    Effect.catch((error) =>
      error.message.includes("Failed to connect") && isRefused(error.reason.cause) ? Effect.fail(error) : Effect.void
    ),
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 200 }),
    Effect.orDie
  )

const isRefused = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED"
