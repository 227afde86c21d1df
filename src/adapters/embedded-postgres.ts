/**
 * The Postgres that `serve` brings along: real binaries, a cluster in a directory of ours, a unix socket and no port.
 * It keeps fsync on and survives `kill -9` of both processes; a postmaster that outlived ours is taken over.
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
  withoutJoined
} from "./embedded-postgres/cluster.ts"
import { attempt, EmbeddedPostgresError } from "./embedded-postgres/error.ts"
import { prepareSocketDirectory, postgresUser, socketDirectory, socketName } from "./embedded-postgres/places.ts"
import { runPostmaster } from "./embedded-postgres/postmaster.ts"

export { EmbeddedPostgresError }

export interface EmbeddedPostgres {
  /** The socket. */
  readonly path: string
  readonly username: string
  readonly password: Redacted.Redacted
  readonly database: string
}

/** Starts the cluster of a directory, made at first, and stops it with the scope. One process at a time owns one. */
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
  // Now no process runs from another copy. One that cannot be removed only takes room.
  yield* Effect.ignore(attempt("older binaries cannot be removed", () => removeOtherBinaries(directory, binaries)))
  return { path: `${sockets}/${socketName}`, username, password, database: "postgres" }
})

/**
 * The cluster of a directory for a command beside the server: joined where another process of ours runs it, else
 * started for as long as the scope lives and the commands that joined it meanwhile run.
 */
export const openOrJoin = (place: string): Effect.Effect<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope> =>
  Effect.retry(
    Effect.catch(startForCommands(place), (error) =>
      error.isInUse === true ? join(path.resolve(place)) : Effect.fail(error)
    ),
    { while: ({ isInUse }) => isInUse === true, schedule: Schedule.spaced("100 millis"), times: 300 }
  )

/** Stopped at the end of the scope, after the commands that joined it; none joins while it stops. */
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
    withoutJoined(path.resolve(place), Scope.close(scope, exit))
  ).pipe(Effect.map(({ server }) => server))
}

/** Makes nothing: the owner does, and its Postgres says when it is ready. */
const join = Effect.fnUntraced(function* (directory: string) {
  yield* joinOwner(directory)
  const password = yield* readPassword(directory)
  return { path: `${socketDirectory(directory)}/${socketName}`, username, password, database: "postgres" }
})
