/**
 * Two servers, two workers and one Postgres: clients write at random, processes are killed with -9 and restarted,
 * connections are cut, and people pause, renew and revoke. The result is checked against the clients' log and, for
 * every commit, against the simulator's properties. `--for 60s` and `--seed 1` set the duration and the seed;
 * `TEST_DATABASE_URL` names another server.
 */
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Console, Effect, Exit, Fiber, Layer, type Scope } from "effect"
import { SeededRandom } from "../../simulator/kernel/seeded-random.ts"
import { revokeGrant } from "../../src/access/grants.ts"
import { Signer } from "../../src/ports/signer.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { makeArena } from "../processes/arena.ts"
import { startServerWithoutWorkers, startWorker } from "../processes/webhook-processes.ts"
import { subscribeAsAgent } from "../support/webhooks.ts"
import { host } from "../support/webhook-receiver.ts"
import { installationOn, operator, type Environment } from "../support/installation.ts"
import { pauseAs, renewAs, resumeAs } from "../support/people.ts"
import type { CommandProcess } from "../support/server.ts"
import { databaseWithTimestamps } from "./database.ts"
import { startFlakyReceiver } from "./webhook-receiver.ts"
import { type StopInterval, checkLog } from "./postgres-log.ts"
import { loggedServers, type Log, runClient, type WriterContext } from "./postgres-clients.ts"
import { checkHistory, historyProperties, recordChanges, readHistory } from "./postgres-history.ts"

const lanes = 6
const clientsPerLane = 2

export const postgres = Effect.gen(function* () {
  const seconds = Number(/^(\d+)s?$/.exec(flag("--for") ?? "60s")?.[1] ?? Number.NaN)
  const seed = Number(flag("--seed") ?? 1)
  if (!(seconds > 0) || !Number.isInteger(seed))
    return yield* Effect.die(new Error("Invalid arguments; expected for example: --for 60s --seed 1"))
  const installation = yield* installationOn(yield* databaseWithTimestamps)
  const { environment } = installation
  const session = yield* Effect.orDie(PgConnection.make(installation.connection))
  yield* recordChanges(session)
  const receiver = yield* startFlakyReceiver({ isFlaky: true, timeout: 1_000 })
  const processes = yield* startAll({ ...environment, ...pace }, receiver.port)
  const log: Log = { requests: [], defects: [] }
  return yield* soak({ seconds, seed, session, processes, log }).pipe(
    Effect.provide(Layer.merge(loggedServers(processes.origins, log), operator(environment)))
  )
})

const flag = (name: string): string | undefined => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}

/** A tenth of the specified durations. */
const pace: Environment = {
  WEBHOOK_INTERVAL: "1500 millis",
  WEBHOOK_LEASE: "6000 millis",
  WEBHOOK_TIMEOUT: "1000 millis",
  WEBHOOK_BACKOFF: "1000 millis"
}

interface Processes {
  /** The addresses of the servers that currently listen. */
  readonly origins: Array<string>
  /** Kills a random process with -9, and returns once its replacement runs. */
  readonly restart: (which: number) => Effect.Effect<void, never, Scope.Scope>
}

const startAll = Effect.fnUntraced(function* (environment: Environment, port: number) {
  const servers = yield* Effect.all([startServerWithoutWorkers(environment), startServerWithoutWorkers(environment)], {
    concurrency: 2
  })
  const origins = servers.map(({ origin }) => origin)
  const workerAt = (place: number) => startWorker(environment, port, `127.0.0.${place + 1}`)
  const workers: Array<CommandProcess> = yield* Effect.all([workerAt(0), workerAt(1)], { concurrency: 2 })
  const restart: Processes["restart"] = (which) =>
    Effect.gen(function* () {
      const place = which % 2
      const victim = which < 2 ? servers[place]! : workers[place]!
      victim.child.kill("SIGKILL")
      yield* Effect.promise(() => victim.ended)
      if (which >= 2) return void (workers[place] = yield* workerAt(place))
      const server = yield* startServerWithoutWorkers(environment)
      servers[place] = server
      origins[place] = server.origin
    })
  return { origins, restart } satisfies Processes
})

interface SoakInput {
  readonly seconds: number
  readonly seed: number
  readonly session: PgConnection.PgConnection
  readonly processes: Processes
  readonly log: Log
}

const soak = Effect.fnUntraced(function* ({ seconds, seed, session, processes, log }: SoakInput) {
  const arena = yield* makeArena(lanes)
  yield* grantCredits({ organizationId: arena.buyer.organizationId, credits: 100, reference: "soak" })
  const projectIds = arena.lanes.map(({ projectId }) => projectId)
  yield* subscribeAsAgent(arena.buyerAgent.token, projectIds, { target: `https://${host}/steady/buyer` })
  yield* subscribeAsAgent(arena.supplierAgent.token, projectIds, { target: `https://${host}/shaky/supplier` })
  const random = new SeededRandom(seed)
  const writing: WriterContext = { arena, random, log, isRenewing: false, isRevoking: false, isOver: false }
  const counts = { kills: 0, cuts: 0, renewals: 0 }
  const endings: Array<StopInterval> = []
  const clients = yield* Effect.forEach(Array.from({ length: lanes * clientsPerLane }).keys(), (client) =>
    Effect.forkChild(runClient(writing, arena.lanes[client % lanes]!, `client ${client}`))
  )
  const killing = [0, 2].map((first) => {
    const name = first === 0 ? "servers" : "workers"
    const restart = () => processes.restart(first + random.below(2, name))
    const pause = () => 500 + random.below(1_500, name)
    return every(writing, pause, () => Effect.map(restart(), () => void (counts.kills += 1)))
  })
  const cutting = every(
    writing,
    () => 200 + random.below(600, "cuts"),
    () => Effect.map(cutConnection(session, random), (cuts) => void (counts.cuts += cuts))
  )
  const interfering = every(
    writing,
    () => 300 + random.below(700, "people"),
    () => actAsPerson(writing, endings, counts)
  )
  const others = yield* Effect.forEach([...killing, cutting, interfering], (doing) => Effect.forkChild(doing))
  yield* Effect.sleep(seconds * 1_000)
  yield* revokeAll(writing, endings)
  yield* Effect.sleep(1_500)
  writing.isOver = true
  yield* Effect.forEach([...clients, ...others], Fiber.join, { discard: true })
  const history = yield* readHistory(session)
  const { keys } = yield* Signer
  const told = checkLog(log.requests, endings, history)
  const refused = log.requests.filter(({ status }) => status >= 400).length
  const again = log.requests.filter(({ sends }) => sends > 1).length
  yield* Console.log(
    `seed ${seed}, ${seconds} s: ${log.requests.length} requests (${refused} refused, ${again} sent more than once), ` +
      `${history.length} commits, ${told.events} events, ${counts.kills} kills, ${counts.cuts} cut connections, ` +
      `${endings.length} pauses and revocations, ${counts.renewals} renewals; ${historyProperties.length} properties checked at every commit`
  )
  return [...log.defects, ...told.wrong, ...checkHistory(history, keys)]
})

const every = <E, R>(writing: WriterContext, pause: () => number, act: () => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    while (!writing.isOver) {
      yield* Effect.sleep(pause())
      if (!writing.isOver) yield* act()
    }
  })

/** Terminates one random connection of the service. */
const cutConnection = Effect.fnUntraced(function* (session: PgConnection.PgConnection, random: SeededRandom) {
  const open = yield* Effect.orDie(
    session.queryValues(
      "select pid from pg_stat_activity where application_name = 'countersign' order by backend_start"
    )
  )
  const [pid] = open[random.below(Math.max(open.length, 1), "cuts")] ?? []
  if (pid === undefined) return 0
  yield* Effect.orDie(session.queryValues("select pg_terminate_backend($1)", [PgTypes.int4(Number(pid))]))
  return 1
})

/** A person pauses a project and resumes it, or renews a grant, which replaces its agent's token. */
const actAsPerson = Effect.fnUntraced(function* (
  writing: WriterContext,
  endings: Array<StopInterval>,
  counts: { renewals: number }
) {
  const { arena, random } = writing
  const { buyer, buyerAgent, lanes } = arena
  const { personId } = buyer
  if (!writing.isRenewing && !writing.isRevoking && random.below(4, "people") === 0) {
    const { grantId, generation: expectedGeneration } = buyerAgent
    writing.isRenewing = true
    const renewed = yield* Effect.exit(renewAs({ personId, grantId, expectedGeneration }))
    // The token of a renewal whose response was lost stays unknown, and the agent is refused.
    if (Exit.isFailure(renewed)) return
    Object.assign(buyerAgent, renewed.value)
    writing.isRenewing = false
    counts.renewals += 1
    return
  }
  const { projectId } = lanes[random.below(lanes.length, "people")]!
  const person = { personId, projectId, reason: "A look at it." }
  const paused = yield* Effect.exit(pauseAs(person))
  const answered = Date.now() + 1
  if (Exit.isSuccess(paused)) yield* Effect.sleep(100 + random.below(300, "people"))
  const until = Date.now()
  yield* Effect.exit(resumeAs(person))
  if (Exit.isSuccess(paused)) endings.push({ kind: "pause", of: projectId, answered, until })
})

/** Revokes every grant at the end. */
const revokeAll = Effect.fnUntraced(function* (writing: WriterContext, endings: Array<StopInterval>) {
  const { grantId } = writing.arena.buyerAgent
  writing.isRevoking = true
  for (let tries = 0; tries < 5; tries++) {
    const revoked = yield* Effect.exit(revokeGrant("OPERATOR", { grantId }))
    if (Exit.isFailure(revoked)) continue
    endings.push({ kind: "revocation", of: grantId, answered: Date.now() + 1, until: undefined })
    return
  }
})
