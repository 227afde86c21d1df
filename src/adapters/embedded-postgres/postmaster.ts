/** The postmaster: started, or adopted where it outlived its process, and stopped with the scope. */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Duration, Effect, type Scope } from "effect"
import type { Binaries } from "./binaries.ts"
import { attempt, EmbeddedPostgresError } from "./error.ts"
import { socketName, type PostgresUser } from "./paths.ts"
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
    const stopOnExit = () => signal(pid, "SIGINT")
    process.once("exit", stopOnExit)
    yield* Effect.addFinalizer(() => Effect.sync(() => void process.off("exit", stopOnExit)))
  })

const adoptOrSpawn = Effect.fnUntraced(function* (cluster: Cluster): Effect.fn.Return<number, EmbeddedPostgresError> {
  const record = readRecord(cluster)
  if (record !== undefined && servesCluster(cluster, record.pid)) {
    if (record.sockets === cluster.sockets && runsProgram(cluster.binaries.postgres, record.pid))
      return yield* awaitReady(cluster, record.pid)
    yield* stop(record.pid)
  } else if (record !== undefined) yield* clearDeadPostmaster(cluster, record)
  const pid = yield* spawnPostmaster(cluster)
  return yield* Effect.onError(awaitReady(cluster, pid), () => stop(pid))
})

/**
 * Postgres takes the number of a zombie for a running postmaster, so its files are removed; but only after every process
 * of the dead postmaster has ended, since two sets of processes on one cluster would destroy it.
 */
const clearDeadPostmaster = (cluster: Cluster, record: PostmasterRecord): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    while (processesIn(cluster.data).length > 0) yield* Effect.sleep(pollEvery)
    yield* attempt("the record of a dead Postgres cannot be removed", () => {
      const socket = path.join(record.sockets, socketName)
      for (const file of [pidFile(cluster), socket, `${socket}.lock`]) fs.rmSync(file, { force: true })
    })
  }).pipe(
    Effect.timeoutOrElse({
      duration: stopMax,
      orElse: () =>
        new EmbeddedPostgresError({ message: `processes ${processesIn(cluster.data)} still use ${cluster.data}` })
    })
  )

/** In a session of its own: an interrupt from the terminal reaches this process only, which stops Postgres after the drain. */
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

const awaitReady = (cluster: Cluster, pid: number): Effect.Effect<number, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    for (;;) {
      const record = readRecord(cluster)
      if (record?.pid === pid && record.isReady) return pid
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

/** A fast shutdown: open transactions are rolled back. After `stopMax` the next start recovers from the log. */
const stop = (pid: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    signal(pid, "SIGINT")
    while (isAlive(pid)) yield* Effect.sleep(pollEvery)
  }).pipe(Effect.timeoutOrElse({ duration: stopMax, orElse: () => Effect.sync(() => signal(pid, "SIGQUIT")) }))

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended already.
  }
}

interface PostmasterRecord {
  readonly pid: number
  readonly sockets: string
  readonly isReady: boolean
}

/** True where a live Postgres reports that it serves this data. */
export const isPostmasterReady = (data: string): boolean => {
  const record = readRecord({ data })
  return record !== undefined && record.isReady && servesCluster({ data }, record.pid)
}

/** The eight lines that a postmaster keeps in its pid file. */
const readRecord = (cluster: Pick<Cluster, "data">): PostmasterRecord | undefined => {
  if (!fs.existsSync(pidFile(cluster))) return undefined
  const lines = fs.readFileSync(pidFile(cluster), "utf8").split("\n")
  return { pid: Number(lines[0]), sockets: lines[4] ?? "", isReady: lines[7]?.trim() === "ready" }
}

/** The number of a dead postmaster may belong to another process by now. */
const servesCluster = (cluster: Pick<Cluster, "data">, pid: number): boolean =>
  commandLine(pid).split("\0").includes(cluster.data)

/** False where the program's file was replaced since, as by an update. */
const runsProgram = (program: string, pid: number): boolean => executable(pid) === fs.realpathSync(program)

const pidFile = (cluster: Pick<Cluster, "data">): string => path.join(cluster.data, "postmaster.pid")

const logFile = (cluster: Cluster): string => path.join(cluster.directory, "postgres.log")

const logTail = (cluster: Cluster): string =>
  fs.existsSync(logFile(cluster)) ? fs.readFileSync(logFile(cluster), "utf8").split("\n").slice(-6).join("\n") : ""
