/**
 * The Postgres that `serve` runs itself: real binaries, a cluster in the data directory, a unix socket and no port. It
 * keeps fsync on and survives `kill -9` of both processes; a postmaster that outlived its process is adopted.
 */
import * as path from "node:path"
import { Effect, Exit, Schedule, Scope, type Redacted } from "effect"
import { findBinaries, removeOtherBinaries } from "./embedded-postgres/binaries.ts"
import {
  joinOwner,
  makeCluster,
  readPassword,
  takeOwnership,
  username,
  afterJoinedCommands
} from "./embedded-postgres/cluster.ts"
import { attempt, EmbeddedPostgresError } from "./embedded-postgres/error.ts"
import { prepareSocketDirectory, postgresUser, socketDirectory, socketName } from "./embedded-postgres/paths.ts"
import { runPostmaster } from "./embedded-postgres/postmaster.ts"

export { EmbeddedPostgresError }

export interface EmbeddedPostgres {
  /** The path of the socket. */
  readonly path: string
  readonly username: string
  readonly password: Redacted.Redacted
  readonly database: string
}

/** Starts the cluster of a directory, created if absent, and stops it with the scope. One process at a time owns it. */
export const start = Effect.fn("embeddedPostgres.start")(function* (
  place: string
): Effect.fn.Return<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope> {
  const directory = path.resolve(place)
  const user = postgresUser()
  yield* takeOwnership(directory, user)
  const binaries = yield* findBinaries(directory, user)
  const password = yield* readPassword(directory)
  const data = yield* makeCluster(directory, binaries, user, password)
  const sockets = yield* prepareSocketDirectory(directory, user)
  yield* runPostmaster({ directory, data, sockets, binaries, user })
  // No process runs from another copy now. A copy that cannot be removed only takes disk space.
  yield* Effect.ignore(attempt("older binaries cannot be removed", () => removeOtherBinaries(directory, binaries)))
  return { path: `${sockets}/${socketName}`, username, password, database: "postgres" }
})

/**
 * The cluster of a directory for a command beside the server: joined where another process runs it, else started until
 * the scope closes and the commands that joined it meanwhile have ended.
 */
export const openOrJoin = (place: string): Effect.Effect<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope> =>
  Effect.retry(
    Effect.catch(startForCommands(place), (error) =>
      error.isInUse === true ? join(path.resolve(place)) : Effect.fail(error)
    ),
    { while: ({ isInUse }) => isInUse === true, schedule: Schedule.spaced("100 millis"), times: 300 }
  )

/** Stopped at the end of the scope, after the commands that joined it; none can join while it stops. */
const startForCommands = (place: string): Effect.Effect<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope> => {
  const started = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const server = yield* start(place).pipe(
      Scope.provide(scope),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    return { server, scope }
  })
  return Effect.acquireRelease(started, ({ scope }, exit) =>
    afterJoinedCommands(path.resolve(place), Scope.close(scope, exit))
  ).pipe(Effect.map(({ server }) => server))
}

/** Creates nothing: the owner does, and its Postgres reports when it is ready. */
const join = Effect.fnUntraced(function* (directory: string) {
  yield* joinOwner(directory)
  const password = yield* readPassword(directory)
  return { path: `${socketDirectory(directory)}/${socketName}`, username, password, database: "postgres" }
})
