/** What is compared: servers that take commands, each a process of its own, and the bare statement. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { inDatabase } from "../backlog.ts"
import { installationOn, type Environment } from "../../support/installation.ts"
import { programOfTests } from "../../support/built-program.ts"
import { freePort, node, startServer } from "../../support/server.ts"
import { requireEqualAnswers } from "../plain-peer/equal-answers.ts"
import { startChild } from "./child-process.ts"
import { parentOf } from "./cpu.ts"
import type { HttpLane } from "./http-commands.ts"
import type { LaneRequest } from "./lane-preparer.ts"

const thisCheckout = path.resolve(import.meta.dirname, "../../..")

/** A server of commands, and the projects that are prepared for it. */
export interface ServerVariant {
  readonly name: string
  readonly origin: string
  readonly pid: number
  readonly database: ConnectionOptions
  /** The variables of its installation. */
  readonly environment: Environment
  readonly prepare: (request: LaneRequest) => Effect.Effect<ReadonlyArray<HttpLane>>
}

/** `countersign serve` of this checkout. */
export const thisServer = (database: ConnectionOptions, variables: Environment = {}) =>
  startVariant({ name: "this checkout", root: thisCheckout, program: programOfTests(), database }, variables)

/** `countersign serve` of another checkout, on a database of its own in the same Postgres, with its own migrations. */
export const serverOf = Effect.fnUntraced(function* (root: string, postgres: ConnectionOptions) {
  const database = { ...postgres, database: "bench_against" }
  yield* inDatabase(postgres, [`create database ${database.database} template template0`])
  const program = path.join(root, "src/main.ts")
  return yield* startVariant({ name: root, root, program, database })
})

interface Checkout {
  readonly name: string
  readonly root: string
  readonly program: string
  readonly database: ConnectionOptions
}

/** A server with these variables beside those of its installation. */
const startVariant = Effect.fnUntraced(function* (
  { name, root, program, database }: Checkout,
  variables: Environment = {}
) {
  const { environment } = yield* installationOn(database)
  const { origin, child, ended } = yield* startServer({ ...environment, ...variables }, program)
  const prepare = yield* startChild<LaneRequest, ReadonlyArray<HttpLane>>("lane-preparer.ts", [root], environment)
  const stop = Effect.promise(() => (child.kill("SIGTERM"), ended))
  return { name, origin, pid: child.pid!, database, environment, prepare, stop }
})

/** The plain peer on the installation of a server, for which the same projects are prepared. */
export const plainPeerOf = Effect.fnUntraced(function* (server: ServerVariant) {
  const port = String(yield* freePort)
  const program = path.join(thisCheckout, "test/bench/plain-peer/main.ts")
  const env = { ...process.env, ...server.environment, SITE_URL: server.origin, PORT: port }
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(node, [program], { env, stdio: ["ignore", "pipe", "inherit"] })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  // Its first output says that it is ready; later output is read and dropped.
  yield* Effect.promise(() => Promise.race([once(child.stdout, "data"), endOf(child)]))
  child.stdout.resume()
  const origin = `http://127.0.0.1:${port}`
  const lanes = yield* server.prepare({ projects: 2 })
  yield* Effect.promise(() => requireEqualAnswers(server.origin, origin, lanes))
  return { ...server, name: "plain peer", origin, pid: child.pid! } satisfies ServerVariant
})

const endOf = (child: ChildProcess) =>
  once(child, "exit").then(([code]) => Promise.reject(new Error(`the plain peer exited with ${code}`)))

/** The process of Postgres whose descendants are all others. */
export const postmasterOf = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const session = yield* PgConnection.make(database)
  const [[backend] = []] = yield* session.queryValues("select pg_backend_pid()", [], false)
  const postmaster = parentOf(Number(backend))
  if (postmaster === undefined) return yield* Effect.die(new Error("Postgres runs on another machine"))
  return postmaster
}, Effect.scoped)
