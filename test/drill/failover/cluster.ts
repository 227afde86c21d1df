/** Three machines with etcd, Patroni and Postgres each, and haproxy in front of them, as docs/operating/failover.md says. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { postgresUser } from "../../../src/adapters/embedded-postgres/paths.ts"
import { dataDirectory, etcdFile, haproxyFile, managerPort, patroniFile, programFolders } from "./configuration.ts"
import type { Machine, Network } from "./network.ts"

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

export class Cluster {
  readonly network: Network
  readonly #directory: string
  readonly #running = new Map<string, ChildProcess>()

  constructor(network: Network, directory: string) {
    this.network = network
    this.#directory = directory
    for (const { name } of network.machines) makeOwned(this.#directoryOf(name))
  }

  /** Starts what does not run: of a machine, etcd and Patroni, which starts Postgres. */
  start(machine: Machine): void {
    const directory = this.#directoryOf(machine.name)
    const [etcd, patroni] = [path.join(directory, "etcd.yml"), path.join(directory, "patroni.yml")]
    fs.writeFileSync(etcd, etcdFile(this.network, machine, directory))
    fs.writeFileSync(patroni, patroniFile(this.network, machine, directory))
    this.#spawn(`etcd ${machine.name}`, machine, "etcd", "--config-file", etcd)
    this.#spawn(`patroni ${machine.name}`, machine, "patroni", patroni)
  }

  startProxy(): void {
    const file = path.join(this.#directory, "haproxy.cfg")
    fs.writeFileSync(file, haproxyFile(this.network))
    this.#spawn("haproxy", undefined, "haproxy", "-db", "-f", file)
  }

  /** Kills with -9 everything that runs on the machine, as a power failure. */
  killMachine({ name }: Machine): Promise<void> {
    this.killPostgres({ name })
    return this.#kill(`patroni ${name}`, `etcd ${name}`)
  }

  /** Kills Patroni alone with -9: its Postgres takes writes until it is started again. */
  killManager({ name }: Machine): Promise<void> {
    return this.#kill(`patroni ${name}`)
  }

  /** Kills the postmaster with -9; its children end when they notice. */
  killPostgres({ name }: Pick<Machine, "name">): void {
    const record = path.join(dataDirectory(this.#directoryOf(name)), "postmaster.pid")
    if (!fs.existsSync(record)) return
    try {
      process.kill(Number(fs.readFileSync(record, "utf8").split("\n")[0]), "SIGKILL")
    } catch {
      // It has already ended and left its pid file.
    }
  }

  async killAll(): Promise<void> {
    await this.#kill(...this.#running.keys())
    for (const machine of this.network.machines) this.killPostgres(machine)
  }

  /** Waits until another machine leads than the one that failed. */
  async leaderAfter(failed: Machine): Promise<Machine> {
    for (;;) {
      const next = (await this.#leaders()).find((machine) => machine !== failed)
      if (next !== undefined) return next
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** Waits until one machine leads and every other member follows it, one of them synchronously. */
  async untilWhole(): Promise<Machine> {
    for (;;) {
      const [members, leader] = [await this.#members(), (await this.#leaders())[0]]
      const isRunning = members.every(({ state }) => state === "running" || state === "streaming")
      const isOneTimeline = new Set(members.map(({ timeline }) => timeline)).size === 1
      const isWhole = members.length === this.network.machines.length && isRunning && isOneTimeline
      if (leader !== undefined && isWhole && members.some(({ role }) => role === "sync_standby")) return leader
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** What the managers know of the cluster; empty while none of them answers. */
  async #members(): Promise<ReadonlyArray<Member>> {
    for (const machine of this.network.machines) {
      const known = await this.#ask(machine, "/cluster")
      if (known !== undefined) return known.members
    }
    return []
  }

  /** The machines whose managers say that they lead. */
  async #leaders(): Promise<ReadonlyArray<Machine>> {
    const { machines } = this.network
    const answers = await Promise.all(machines.map((machine) => this.#ask(machine, "/primary")))
    return machines.filter((_, index) => answers[index] !== undefined)
  }

  /** The JSON of an answer of 200 that arrives in time. */
  async #ask({ address }: Machine, of: string): Promise<any> {
    try {
      const answer = await fetch(`http://${address}:${managerPort}${of}`, { signal: AbortSignal.timeout(5_000) })
      return answer.ok ? await answer.json() : undefined
    } catch {
      return undefined
    }
  }

  #spawn(name: string, machine: Machine | undefined, ...program: ReadonlyArray<string>): void {
    if (this.#running.has(name)) return
    const [command, ...words] = [...(machine?.prefix ?? []), ...unprivileged(), ...program]
    const log = fs.openSync(this.#logOf(name), "a")
    const env = { PATH: programFolders.join(":"), LC_ALL: "C.UTF-8" }
    const child = spawn(command!, words, { cwd: "/", env, stdio: ["ignore", log, log] })
    fs.closeSync(log)
    this.#running.set(name, child)
    child.once("exit", () => {
      if (this.#running.get(name) === child) this.#running.delete(name)
    })
  }

  async #kill(...names: ReadonlyArray<string>): Promise<void> {
    const children = names.flatMap((name) => this.#running.get(name) ?? [])
    const ended = children.map((child) => once(child, "exit"))
    for (const child of children) child.kill("SIGKILL")
    await Promise.all(ended)
  }

  #logOf = (name: string): string => path.join(this.#directory, `${name.replace(" ", "-")}.log`)
  #directoryOf = (name: string): string => path.join(this.#directory, name)
}

/** All machines run and the cluster is whole; everything is killed with the scope. */
export const startCluster = (network: Network, directory: string): Effect.Effect<Cluster, never, Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = yield* Effect.acquireRelease(
      Effect.sync(() => new Cluster(network, directory)),
      (started) => Effect.promise(() => started.killAll())
    )
    for (const machine of network.machines) cluster.start(machine)
    cluster.startProxy()
    yield* Effect.promise(() => cluster.untilWhole())
    return cluster
  })

const makeOwned = (directory: string): void => {
  fs.mkdirSync(directory, { mode: 0o700 })
  const user = postgresUser()
  if (user !== undefined) fs.chownSync(directory, user.uid, user.gid)
}

/** Precedes a program that must not run as root. Patroni needs shared memory that its user can write to. */
const unprivileged = (): ReadonlyArray<string> => {
  const user = postgresUser()
  if (user === undefined) return []
  const asUser = ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"]
  if ((fs.statSync("/dev/shm").mode & 0o002) !== 0) return asUser
  const mounting = 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm && exec "$@"'
  return ["unshare", "--mount", "sh", "-c", mounting, "sh", ...asUser]
}
