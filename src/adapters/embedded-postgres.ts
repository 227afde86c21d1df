/**
 * The Postgres that `serve` brings along: real binaries, a cluster in a directory of ours, a unix socket and no port.
 * It keeps fsync on and survives `kill -9` of both processes; a postmaster that outlived ours is taken over.
 */
import * as path from "node:path"
import { Effect, Schedule, type Redacted, type Scope } from "effect"
import { findBinaries } from "./embedded-postgres/binaries.ts"
import {
  dataDirectory,
  livingOwner,
  makeCluster,
  readPassword,
  takeOwnership,
  username
} from "./embedded-postgres/cluster.ts"
import { EmbeddedPostgresError } from "./embedded-postgres/error.ts"
import { prepareSocketDirectory, postgresUser, socketDirectory, socketName } from "./embedded-postgres/places.ts"
import { isPostmasterReady, runPostmaster } from "./embedded-postgres/postmaster.ts"

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
  return { path: `${sockets}/${socketName}`, username, password, database: "postgres" }
})

/** Makes nothing: the owner does, and its Postgres says when it is ready. */
const findSocket = (directory: string, owner: number): Effect.Effect<string, EmbeddedPostgresError> =>
  Effect.suspend(() => {
    const message = `the database that process ${owner} starts in ${directory} does not become ready`
    return isPostmasterReady(dataDirectory(directory))
      ? Effect.succeed(socketDirectory(directory))
      : Effect.fail(new EmbeddedPostgresError({ message }))
  })

/**
 * The cluster of a directory for a command beside the server: joined where another process of ours runs it, else
 * started for as long as the scope lives.
 */
export const openOrJoin = Effect.fn("embeddedPostgres.openOrJoin")(function* (
  place: string
): Effect.fn.Return<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope> {
  const directory = path.resolve(place)
  const owner = livingOwner(directory)
  if (owner === undefined || owner === process.pid) return yield* start(directory)
  const sockets = yield* Effect.retry(findSocket(directory, owner), {
    schedule: Schedule.spaced("100 millis"),
    times: 100
  })
  const password = yield* readPassword(directory)
  return { path: `${sockets}/${socketName}`, username, password, database: "postgres" }
})
