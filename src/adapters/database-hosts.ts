/**
 * The hosts of one database: a connection goes to the first that takes writes, as with `target_session_attrs=read-write`,
 * or to the first that is a standby, where the hosts are those of replicas.
 */
import { Data, Effect, Exit, Result, Scope } from "effect"
import { parseDatabaseUrl, type DatabaseRole } from "./database-address.ts"
import {
  openAt,
  type Credentials,
  type Host,
  type HostFailure,
  type OpenConnection,
  type SessionOptions
} from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"

/** The reason why no host gave a connection. */
export class NoHostAvailable extends Data.TaggedError("NoHostAvailable")<{
  readonly failures: ReadonlyArray<HostFailure>
}> {
  override get message(): string {
    return this.failures.map(({ host, message }) => `${host.name} ${message}`).join(", ")
  }
}

export class DatabaseHosts {
  readonly #hosts: ReadonlyArray<Host>
  readonly #credentials: Credentials
  readonly #role: DatabaseRole
  /** Tried first, since each attempt on an unresponsive host costs a timeout. */
  #lastOpened: Host | undefined

  private constructor(hosts: ReadonlyArray<Host>, credentials: Credentials, role: DatabaseRole) {
    this.#hosts = hosts
    this.#credentials = credentials
    this.#role = role
  }

  /** Fails with a sentence where the URL cannot be read. */
  static of(options: ConnectionOptions, role: DatabaseRole = "PRIMARY"): Result.Result<DatabaseHosts, string> {
    const { url, host, port, path, ...credentials } = options
    const own: Host = path === undefined ? tcpHost(host, port) : { name: path, at: { path } }
    if (url === undefined) return Result.succeed(new DatabaseHosts([own], credentials, role))
    return Result.map(parseDatabaseUrl(url, role), (hosts) => {
      const isElsewhere = host !== undefined || path !== undefined
      return new DatabaseHosts(isElsewhere ? [{ ...own, url: hosts[0]!.url }] : hosts, credentials, role)
    })
  }

  /** A single primary is used even if it refuses writes, as its answers then report, unless writes are required. */
  open(
    session: SessionOptions,
    requirement: "takes writes" | "any single host" = "any single host"
  ): Effect.Effect<OpenConnection, NoHostAvailable, Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const parent = yield* Scope.Scope
      const failures: Array<HostFailure> = []
      for (const host of this.#inOrder()) {
        const scope = yield* Scope.fork(parent)
        const opened = yield* Effect.result(Scope.provide(openAt(host, this.#credentials, session), scope))
        const failure = Result.isFailure(opened) ? opened.failure : this.#roleFailure(opened.success)
        const isTaken = failure === undefined || (this.#isSinglePrimary && requirement === "any single host")
        if (Result.isSuccess(opened) && isTaken) {
          this.#lastOpened = host
          return opened.success
        }
        yield* Scope.close(scope, Exit.void)
        if (failure !== undefined) failures.push(failure)
      }
      return yield* new NoHostAvailable({ failures })
    })
  }

  get #isSinglePrimary(): boolean {
    return this.#hosts.length === 1 && this.#role === "PRIMARY"
  }

  #roleFailure(open: OpenConnection): HostFailure | undefined {
    return this.#role === "PRIMARY" ? writesRefused(open) : notStandby(open)
  }

  #inOrder(): ReadonlyArray<Host> {
    const first = this.#lastOpened
    return first === undefined ? this.#hosts : [first, ...this.#hosts.filter((host) => host !== first)]
  }
}

const tcpHost = (host = "localhost", port = 5432): Host => ({ name: `${host}:${port}`, at: { host, port } })

const notStandby = ({ host, refusesWrites }: OpenConnection): HostFailure | undefined =>
  refusesWrites === "standby" ? undefined : { host, kind: "failed", message: "is no standby" }

const writesRefused = ({ host, refusesWrites }: OpenConnection): HostFailure | undefined => {
  if (refusesWrites === undefined) return undefined
  const message = refusesWrites === "standby" ? "is a standby, which takes no writes" : "is set to read-only"
  return { host, kind: "may take writes later", message }
}
