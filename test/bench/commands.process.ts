import { PgConnection } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Console, Effect, Layer } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { makeArena } from "../processes/arena.ts"
import { installationOn } from "../support/installation.ts"
import { migratedDatabase } from "../support/postgres.ts"
import { freePort, serveInProcess } from "../support/server.ts"
import { flawsOf, readEvents } from "../support/stored-chains.ts"
import { compareVariants } from "./commands/compare.ts"
import { lanesOf } from "./commands/http-commands.ts"
import { runLoad } from "./commands/load.ts"
import { postmasterOf, type ServerVariant } from "./commands/variants.ts"
import { smallest } from "./extent.ts"
import { requireEqualAnswers } from "./plain-peer/equal-answers.ts"
import { startPeer } from "./plain-peer/server.ts"

/** The service and the plain peer in this process, on one database with so many projects. */
const startBoth = Effect.fnUntraced(function* (database: ConnectionOptions, projects: number) {
  const { environment, publicJwk } = yield* installationOn(database)
  const [port, peerPort] = [yield* freePort, yield* freePort]
  const context = yield* Layer.build(serveInProcess(environment, Effect.succeed(port)))
  const lanes = [...lanesOf(yield* Effect.provide(makeArena(projects), context))]
  const own: ServerVariant = {
    name: "this checkout",
    origin: `http://127.0.0.1:${port}`,
    pid: process.pid,
    database,
    environment,
    prepare: ({ projects }) => Effect.sync(() => lanes.splice(0, projects))
  }
  const { DATABASE_URL, ISSUER_KEYS_FILE } = environment as { readonly [name: string]: string }
  const settings = { DATABASE_URL: DATABASE_URL!, ISSUER_KEYS_FILE: ISSUER_KEYS_FILE!, SITE_URL: own.origin }
  yield* Effect.acquireRelease(
    Effect.promise(() => startPeer(settings, peerPort, () => {})),
    (end) => Effect.promise(end)
  )
  const peer: ServerVariant = { ...own, name: "plain peer", origin: `http://127.0.0.1:${peerPort}` }
  return { own, peer, publicJwk }
})

it.live("The plain peer answers and signs as the service does, and each continues what the other wrote.", () =>
  Effect.gen(function* () {
    const database = yield* migratedDatabase
    const { own, peer, publicJwk } = yield* startBoth(database, 2)
    const lanes = yield* own.prepare({ projects: 2 })
    yield* Effect.promise(() => requireEqualAnswers(own.origin, peer.origin, lanes))
    const session = yield* PgConnection.make(database)
    for (const { projectId, view } of lanes) {
      const events = yield* readEvents(session, "project", projectId)
      assert.strictEqual(events.length, view.project.events.length)
      assert.deepStrictEqual(flawsOf(events, publicJwk, view.project.agreement.digest), [])
    }
  }).pipe(Effect.scoped)
)

it.live("The bench measures a few commands of every variant and compares their costs.", () => {
  const printed: Array<string> = []
  const listener = { ...globalThis.console, log: (text: string) => void printed.push(text) }
  return Effect.gen(function* () {
    const database = yield* migratedDatabase
    const { own, peer } = yield* startBoth(database, 16)
    const { figures } = yield* compareVariants({
      extent: smallest,
      database,
      variants: { own, peer, against: undefined },
      postmasterPid: yield* postmasterOf(database),
      send: (request) => Effect.promise(() => runLoad(request))
    })
    assert.strictEqual(printed.length, 6)
    assert.strictEqual(figures.length, 13)
    // A few commands cost less than what else the machine does in their time, so that a ratio may have any sign.
    for (const { what, ratio } of figures) assert.isTrue(Number.isFinite(ratio), `${what}: ${ratio}`)
  }).pipe(Effect.provideService(Console.Console, listener), Effect.scoped)
})
