/** The postmaster: started, or taken over where it outlived the process before us, and stopped with the scope. */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Duration, Effect, type Scope } from "effect"
import type { Binaries } from "./binaries.ts"
import { attempt, EmbeddedPostgresError } from "./error.ts"
import { socketName, type PostgresUser } from "./places.ts"
import { commandLine, executable, isAlive, processesIn } from "./processes.ts"

export interface Cluster {
  readonly directory: string
  readonly data: string
  readonly sockets: string
  readonly binaries: Binaries
  readonly user: PostgresUser
}

const pollEvery = Duration.millis(20)
const recoveryMax = Duration.minutes(5)
const stopMax = Duration.seconds(30)

export const runPostmaster = (cluster: Cluster): Effect.Effect<void, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const pid = yield* Effect.acquireRelease(adoptOrSpawn(cluster), stop)
    // For a process that ends without its finalizers: Postgres then stops by itself.
    const stopBesideUs = () => signal(pid, "SIGINT")
    process.once("exit", stopBesideUs)
    yield* Effect.addFinalizer(() => Effect.sync(() => void process.off("exit", stopBesideUs)))
  })

const adoptOrSpawn = Effect.fnUntraced(function* (cluster: Cluster): Effect.fn.Return<number, EmbeddedPostgresError> {
  const found = recorded(cluster)
  if (found !== undefined && isOurs(cluster, found.pid)) {
    if (found.sockets === cluster.sockets && runs(cluster.binaries.postgres, found.pid))
      return yield* ready(cluster, found.pid)
    yield* stop(found.pid)
  } else if (found !== undefined) yield* clearAfter(cluster, found)
  const pid = yield* spawnPostmaster(cluster)
  return yield* Effect.onError(ready(cluster, pid), () => stop(pid))
})

/**
 * Postgres takes the number of a zombie for a running postmaster, so its files go; but first every process that the
 * dead one left has ended, for two sets of them on one cluster would destroy it.
 */
const clearAfter = (cluster: Cluster, found: Recorded): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    while (processesIn(cluster.data).length > 0) yield* Effect.sleep(pollEvery)
    yield* attempt("the record of a dead Postgres cannot be removed", () => {
      const socket = path.join(found.sockets, socketName)
      for (const file of [pidFile(cluster), socket, `${socket}.lock`]) fs.rmSync(file, { force: true })
    })
  }).pipe(
    Effect.timeoutOrElse({
      duration: stopMax,
      orElse: () =>
        new EmbeddedPostgresError({ message: `processes ${processesIn(cluster.data)} still use ${cluster.data}` })
    })
  )

/** In a session of its own: an interrupt from the terminal is for us, and we stop Postgres after we have drained. */
const spawnPostmaster = (cluster: Cluster): Effect.Effect<number, EmbeddedPostgresError> =>
  attempt("Postgres cannot be started", () => {
    const log = fs.openSync(logFile(cluster), "a", 0o600)
    const settings = ["listen_addresses=", `unix_socket_directories=${cluster.sockets}`, "unix_socket_permissions=0700"]
    const child = spawn(
      cluster.binaries.postgres,
      ["-D", cluster.data, ...settings.flatMap((setting) => ["-c", setting])],
      { ...cluster.user, cwd: "/", detached: true, stdio: ["ignore", log, log] }
    )
    fs.closeSync(log)
    child.on("error", () => {})
    child.unref()
    if (child.pid === undefined) throw new Error(`${cluster.binaries.postgres} cannot be executed`)
    return child.pid
  })

const ready = (cluster: Cluster, pid: number): Effect.Effect<number, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    for (;;) {
      const found = recorded(cluster)
      if (found?.pid === pid && found.isReady) return pid
      if (!isAlive(pid))
        return yield* new EmbeddedPostgresError({ message: `Postgres ended at its start: ${logTail(cluster)}` })
      yield* Effect.sleep(pollEvery)
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: recoveryMax,
      orElse: () => new EmbeddedPostgresError({ message: `Postgres does not become ready: ${logTail(cluster)}` })
    })
  )

/** A fast shutdown: open transactions are rolled back. After that time the next start recovers from the log. */
const stop = (pid: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    signal(pid, "SIGINT")
    while (isAlive(pid)) yield* Effect.sleep(pollEvery)
  }).pipe(Effect.timeoutOrElse({ duration: stopMax, orElse: () => Effect.sync(() => signal(pid, "SIGQUIT")) }))

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself.
  }
}

interface Recorded {
  readonly pid: number
  readonly sockets: string
  readonly isReady: boolean
}

/** True where a living Postgres says that it serves this data. */
export const isPostmasterReady = (data: string): boolean => {
  const found = recorded({ data })
  return found !== undefined && found.isReady && isOurs({ data }, found.pid)
}

/** The eight lines that a postmaster keeps about itself. */
const recorded = (cluster: Pick<Cluster, "data">): Recorded | undefined => {
  if (!fs.existsSync(pidFile(cluster))) return undefined
  const lines = fs.readFileSync(pidFile(cluster), "utf8").split("\n")
  return { pid: Number(lines[0]), sockets: lines[4] ?? "", isReady: lines[7]?.trim() === "ready" }
}

/** The number of a dead postmaster may belong to another process by now. */
const isOurs = (cluster: Pick<Cluster, "data">, pid: number): boolean =>
  commandLine(pid).split("\0").includes(cluster.data)

/** False where the file of the program was replaced since, as by an update. */
const runs = (program: string, pid: number): boolean => executable(pid) === fs.realpathSync(program)

const pidFile = (cluster: Pick<Cluster, "data">): string => path.join(cluster.data, "postmaster.pid")

const logFile = (cluster: Cluster): string => path.join(cluster.directory, "postgres.log")

const logTail = (cluster: Cluster): string =>
  fs.existsSync(logFile(cluster)) ? fs.readFileSync(logFile(cluster), "utf8").split("\n").slice(-6).join("\n") : ""
