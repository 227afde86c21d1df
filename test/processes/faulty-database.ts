/**
 * Processes on a database with faults of every kind: COMMITs are cut, backends terminated, Postgres restarts, and answers
 * are lost without a reset. Meanwhile `serve` and `worker` get SIGTERM: they must exit in time with 0, and everything
 * acknowledged must be stored.
 */
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Console, Effect, Exit, Fiber, Scope } from "effect"
import { start } from "../../src/adapters/embedded-postgres.ts"
import { migrate } from "../../src/adapters/migrator.ts"
import { migrations } from "../../src/migrations/all.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { installationOn, operator, temporaryDirectory, urlOf } from "../support/installation.ts"
import { buyerActions, confirmAgreement, creationInput, makeAgent, makeParty } from "../support/parties.ts"
import { cuts, startProxy, type Proxy } from "../support/proxy.ts"
import { freePort, overSockets, spawnCommand, startServer, type CommandProcess } from "../support/server.ts"
import { createWith } from "./arena.ts"

/** The limit from SIGTERM to the end of the process. */
const endsWithin = 15_000

export interface Round {
  readonly acknowledged: number
  /** The number of requests with another response, or none. */
  readonly failed: number
  /** From SIGTERM to the end, in milliseconds; the maximum of both processes. */
  readonly took: number
  readonly wrong: ReadonlyArray<string>
}

/** The same seed yields the same faults at the same times. */
export const faultyDatabase = Effect.fnUntraced(function* (seed: number, rounds: number) {
  const place = path.join(yield* temporaryDirectory, "database")
  const postgres = yield* restartable(place)
  yield* migrate(postgres.connection, migrations)
  const port = yield* freePort
  const proxy = yield* startProxy(postgres.connection, port)
  const installation = yield* installationOn(proxy.connection)
  const direct = { ...installation.environment, DATABASE_URL: urlOf(postgres.connection) }
  const results: Array<Round> = []
  for (let round = 0; round < rounds; round++) {
    const outcome = yield* Effect.scoped(
      runRound(randomFrom(seed + round), { postgres, proxy, environment: installation.environment }).pipe(
        Effect.provide(operator(direct))
      )
    )
    results.push(outcome)
    yield* Console.log(
      `round ${round + 1}: ${outcome.acknowledged} acknowledged, ${outcome.failed} failed, ended ${outcome.took} ms` +
        ` after SIGTERM${outcome.wrong.map((text) => `; WRONG: ${text}`).join("")}`
    )
  }
  return results
})

interface RoundSetup {
  readonly postgres: Effect.Success<ReturnType<typeof restartable>>
  readonly proxy: Proxy
  readonly environment: Readonly<Record<string, string>>
}

const runRound = Effect.fnUntraced(function* (random: () => number, { postgres, proxy, environment }: RoundSetup) {
  const server = yield* startServer(environment)
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => spawnCommand(environment, "worker")),
    ({ child, ended }) => Effect.promise(() => (child.kill("SIGKILL"), ended))
  )
  yield* awaitListeners(postgres.connection)
  const ledger: Ledger = { acknowledged: [], failed: 0, isDone: false }
  const writers = yield* startWriters(ledger, random).pipe(Effect.provide(overSockets(server.origin)))
  for (const fault of shuffled(["cut", "terminate", "restart"] as const, random)) {
    yield* Effect.sleep(200 + 400 * random())
    if (fault === "cut") yield* cutCommits(proxy)
    else if (fault === "terminate") yield* terminateBackends(postgres.connection)
    else yield* postgres.restart
  }
  yield* Effect.sleep(300 + 700 * random())
  proxy.dropsResponses = true
  const recovery = yield* Effect.forkChild(
    Effect.andThen(
      Effect.sleep(loseAnswersFor),
      Effect.sync(() => (proxy.dropsResponses = false))
    )
  )
  yield* Effect.sleep(random() * (loseAnswersFor + 1_000))
  const ended = yield* Effect.all([terminate("serve", server), terminate("worker", worker)], { concurrency: 2 })
  ledger.isDone = true
  yield* Effect.forEach(writers, Fiber.await)
  yield* Fiber.join(recovery)
  const lost = yield* lostOf(postgres.connection, ledger.acknowledged)
  return {
    acknowledged: ledger.acknowledged.length,
    failed: ledger.failed,
    took: Math.max(...ended.map(({ took }) => took)),
    wrong: [...ended.flatMap(({ wrong }) => wrong), ...lost.map((id) => `${id} was acknowledged and is lost`)]
  } satisfies Round
})

const loseAnswersFor = 6_000

/** Both processes have started once both listen for notifications. */
const awaitListeners = (connection: RoundSetup["postgres"]["connection"]) =>
  Effect.gen(function* () {
    const session = yield* PgConnection.make(connection)
    const listening =
      "select count(*)::int from pg_stat_activity where application_name ~ '^countersign (serve|worker) ' and query like 'LISTEN%callbacks%'"
    while ((yield* session.queryValues(listening))[0]?.[0] !== 2) yield* Effect.sleep(50)
  }).pipe(Effect.scoped, Effect.orDie)

/** An embedded Postgres that can be restarted while it is in use. */
const restartable = Effect.fnUntraced(function* (place: string) {
  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    return { scope, connection: yield* Scope.provide(Effect.orDie(start(place)), scope) }
  })
  let running = yield* open
  yield* Effect.addFinalizer(() => Scope.close(running.scope, Exit.void))
  const restart = Effect.gen(function* () {
    yield* Scope.close(running.scope, Exit.void)
    running = yield* open
  })
  return { connection: running.connection, restart }
})

interface Ledger {
  readonly acknowledged: Array<string>
  failed: number
  isDone: boolean
}

const writersAtOnce = 6

/** Each writer has its own grant, whose scope is limited to 50 projects. */
const startWriters = Effect.fnUntraced(function* (ledger: Ledger, random: () => number) {
  const [buyer, supplier] = yield* Effect.all([makeParty("Dana"), makeParty("Sam")])
  const digest = yield* confirmAgreement
  const today = yield* now
  const write = Effect.fnUntraced(function* (token: string) {
    while (!ledger.isDone) {
      const answer = yield* Effect.exit(createWith(token, creationInput(supplier, digest, today)))
      if (Exit.isSuccess(answer) && answer.value.status === 201) {
        ledger.acknowledged.push(answer.value.body.project.taskId)
      } else ledger.failed += 1
      yield* Effect.sleep(100 + 200 * random())
    }
  })
  return yield* Effect.forEach(Array.from({ length: writersAtOnce }), () =>
    Effect.flatMap(makeAgent(buyer, "BUYER", buyerActions), ({ token }) => Effect.forkChild(write(token)))
  )
})

/** For a second, every third COMMIT of a write is cut, each way in turn. */
const cutCommits = (proxy: Proxy) =>
  Effect.gen(function* () {
    let writes = 0
    proxy.chooseCut = (terminate) =>
      terminate === "view" || writes++ % 3 !== 0 ? undefined : cuts[((writes / 3) % cuts.length) | 0]
    yield* Effect.sleep(1_000)
    proxy.chooseCut = () => undefined
  })

const terminateBackends = (connection: RoundSetup["postgres"]["connection"]) =>
  Effect.flatMap(PgConnection.make(connection), (session) =>
    session.queryValues(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'countersign%'"
    )
  ).pipe(Effect.scoped, Effect.orDie)

/** Sends SIGTERM; a process that does not end in time is killed and counts as wrong. */
const terminate = (name: string, { child, ended, output }: CommandProcess) =>
  Effect.promise(async () => {
    const signalledAt = performance.now()
    child.kill("SIGTERM")
    const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), endsWithin).unref())
    const code = await Promise.race([ended, late])
    const took = Math.round(performance.now() - signalledAt)
    if (code === 0) return { took, wrong: [] }
    if (code === "late") child.kill("SIGKILL")
    const tail = output().trimEnd().split("\n").at(-1)
    const wrong =
      code === "late" ? `${name} lived ${endsWithin} ms after SIGTERM` : `${name} ended with ${code}: ${tail}`
    return { took, wrong: [wrong] }
  })

const lostOf = (connection: RoundSetup["postgres"]["connection"], acknowledged: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const session = yield* PgConnection.make(connection)
    const rows = yield* session.queryValues("select project_id from projects")
    const stored = new Set(rows.map(([id]) => String(id)))
    return acknowledged.filter((id) => !stored.has(id))
  }).pipe(Effect.scoped, Effect.orDie)

const shuffled = <A>(values: ReadonlyArray<A>, random: () => number): ReadonlyArray<A> =>
  values
    .map((value) => ({ value, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ value }) => value)

/** Mulberry32. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
