/**
 * Two workers and one Postgres: a worker is killed with -9 at a random moment and restarted, 200 rounds at a tenth of
 * the specified durations, or with `--real` 10 rounds at the specified durations. An argument replaces the number of
 * rounds.
 */
import { PgConnection } from "@effect/sql-pg"
import { Console, Effect, Layer } from "effect"
import { Service } from "../../src/service.ts"
import { defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"
import { makeArena, nextCommand, type Arena } from "../processes/arena.ts"
import { startWorker, type LoggedRequest } from "../processes/webhook-processes.ts"
import { subscribeAsAgent } from "../support/webhooks.ts"
import { host } from "../support/webhook-receiver.ts"
import { installationOn, operator, type Environment } from "../support/installation.ts"
import type { CommandProcess } from "../support/server.ts"
import { sendCommand } from "../support/parties.ts"
import { checkWebhooks, figuresOf } from "./webhook-checks.ts"
import { killDuring, type AbandonedSend } from "./webhook-kills.ts"
import { startFlakyReceiver } from "./webhook-receiver.ts"
import { temporaryDatabase } from "./database.ts"

const eventsPerRound = 5
// Well below the limit of events of a project.
const eventsPerProject = 80

export const webhooks = Effect.gen(function* () {
  const isReal = process.argv.includes("--real")
  const rounds = process.argv.map(Number).find((given) => given > 0) ?? (isReal ? 10 : 200)
  const installation = yield* installationOn(yield* temporaryDatabase)
  const environment = { ...installation.environment, ...paceOf(isReal ? 1 : 10) }
  const session = yield* Effect.orDie(PgConnection.make(installation.connection))
  return yield* soak({ rounds, scale: isReal ? 1 : 10, environment, session }).pipe(
    Effect.provide(Service.pipe(Layer.provideMerge(operator(environment))))
  )
})

const paceOf = (divisor: number): Environment => ({
  WEBHOOK_INTERVAL: `${defaultWebhookTiming.interval / divisor} millis`,
  WEBHOOK_LEASE: `${defaultWebhookTiming.lease / divisor} millis`,
  WEBHOOK_TIMEOUT: `${defaultWebhookTiming.timeout / divisor} millis`,
  WEBHOOK_BACKOFF: `${defaultWebhookTiming.backoff / divisor} millis`
})

interface SoakInput {
  readonly rounds: number
  readonly scale: number
  readonly environment: Environment
  readonly session: PgConnection.PgConnection
}

const soak = Effect.fnUntraced(function* ({ rounds, scale, environment, session }: SoakInput) {
  const timeout = defaultWebhookTiming.timeout / scale
  const bound = (defaultWebhookTiming.lease + defaultWebhookTiming.interval) / scale
  const mode = { isFlaky: true, timeout }
  const receiver = yield* startFlakyReceiver(mode)
  const arena = yield* makeArena(Math.ceil((rounds * eventsPerRound) / eventsPerProject))
  const secrets = yield* subscribeAll(arena)
  const started: Array<CommandProcess> = []
  const workerAt = (address: string) =>
    Effect.tap(startWorker(environment, receiver.port, address), (worker) => Effect.sync(() => started.push(worker)))
  const addresses = ["127.0.0.1", "127.0.0.2"]
  const workers = yield* Effect.forEach(addresses, workerAt)
  const abandoned: Array<AbandonedSend> = []
  for (let round = 0; round < rounds; round++) {
    const which = Math.floor(Math.random() * workers.length)
    const burst = commitSome(arena, round * eventsPerRound)
    const moment = momentOf(receiver.log, addresses[which]!, timeout)
    const kill = { session, receiver, victim: workers[which]!, burst, moment, maxWait: 10 * bound }
    const told = yield* killDuring(kill, workerAt(addresses[which]!))
    workers[which] = told.restarted
    abandoned.push(...told.abandoned)
    if ((round + 1) % 10 === 0) yield* Console.log(`round ${round + 1}: ${redeliveriesOf(abandoned)}`)
  }
  mode.isFlaky = false
  yield* untilFinished(session)
  const told = { session, log: receiver.log, secrets, events: rounds * eventsPerRound }
  yield* Console.log(`${rounds} kills; ${yield* figuresOf(told)}`)
  for (const [message, times] of warningsOf(started)) yield* Console.log(`logged ${times} times: ${message}`)
  yield* Console.log(`${redeliveriesOf(abandoned)}; lease and polling interval are ${bound} ms`)
  return [...(yield* checkWebhooks(told)), ...lateRetries(abandoned, bound)]
})

/** A random moment; mostly one at which the victim has begun to send. */
const momentOf = Effect.fnUntraced(function* (log: ReadonlyArray<LoggedRequest>, address: string, timeout: number) {
  const before = log.length
  const isSending = () => log.slice(before).some((logged) => logged.address === address)
  const isAnyMoment = Math.random() < 0.25
  for (let waited = 0; waited < 3 * timeout && !isAnyMoment && !isSending(); waited += 5) yield* Effect.sleep(5)
  yield* Effect.sleep(Math.random() * (isAnyMoment ? 0.7 : 0.2) * timeout)
})

/** Both sides subscribe to all events, at receivers that never fail; the buyer also at one that sometimes does. */
const subscribeAll = Effect.fnUntraced(function* ({ buyerAgent, supplierAgent, lanes }: Arena) {
  const projectIds = lanes.map(({ projectId }) => projectId)
  const made = yield* Effect.forEach(
    [
      { token: buyerAgent.token, place: "steady/buyer" },
      { token: supplierAgent.token, place: "steady/supplier" },
      { token: buyerAgent.token, place: "shaky/buyer" }
    ],
    ({ token, place }) => subscribeAsAgent(token, projectIds, { target: `https://${host}/${place}` })
  )
  return new Map(made.map(({ subscription, secret }) => [subscription.id, secret]))
})

/** The next events, on one project after another. */
const commitSome = (arena: Arena, from: number) =>
  Effect.forEach(
    Array.from({ length: eventsPerRound }, (_, index) => arena.lanes[(from + index) % arena.lanes.length]!),
    (lane) =>
      Effect.gen(function* () {
        const { token, operation, body } = nextCommand(arena, lane)
        const answer = yield* sendCommand(token, lane.projectId, operation, body)
        if (answer.status !== 200) return yield* Effect.die(new Error(`${operation} was answered ${answer.text}`))
        lane.view = answer.body
      }),
    { discard: true }
  )

const redeliveriesOf = (abandoned: ReadonlyArray<AbandonedSend>): string =>
  ([true, false] as const)
    .map((isSteady) => {
      const times = abandoned
        .filter((one) => one.isSteady === isSteady)
        .map(({ milliseconds = Infinity }) => Math.round(milliseconds))
        .sort((one, other) => one - other)
      const name = isSteady ? "abandoned sends to receivers that answer" : "abandoned sends to the failing receiver"
      return `${times.length} ${name}, retried after ${times[times.length >> 1] ?? 0} ms, at most ${times.at(-1) ?? 0}`
    })
    .join("; ")

/** The warnings and errors in the workers' logs, with their counts. */
const warningsOf = (started: ReadonlyArray<CommandProcess>): ReadonlyMap<string, number> => {
  const lines = started
    .flatMap(({ output }) => output().split("\n"))
    .filter((line) => /"level":"(WARN|ERROR)"/.test(line))
  const counts = new Map<string, number>()
  for (const line of lines) {
    const message = JSON.stringify((JSON.parse(line) as { readonly message: unknown }).message).replaceAll(
      /whd_\w+|webhook_\w+/g,
      "…"
    )
    counts.set(message, (counts.get(message) ?? 0) + 1)
  }
  return counts
}

/** A failing subscription sends one delivery at a time, the earliest due first, so its others may wait longer. */
const lateRetries = (abandoned: ReadonlyArray<AbandonedSend>, bound: number) =>
  abandoned.flatMap(({ deliveryId, isSteady, milliseconds }) => {
    if (milliseconds === undefined) return [`${deliveryId} was not retried`]
    return isSteady && milliseconds > bound ? [`${deliveryId} was retried after ${Math.round(milliseconds)} ms`] : []
  })

/** Waits up to the longest backoff; the checks report unfinished deliveries. */
const untilFinished = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  const unfinished = `select from webhook_events where due_at < now() + interval '1 day'
    union all select from webhook_deliveries where state = 'PENDING'`
  for (let asked = 0; asked < 3_000; asked++) {
    if ((yield* Effect.orDie(session.queryValues(unfinished))).length === 0) return
    yield* Effect.sleep(200)
  }
})
