/**
 * What a webhook costs without the network, from its claim to its settlement, against the claim and the completion of an
 * empty job of other queues, in alternating rounds.
 */
import { Effect, Layer } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import type { Counts } from "../../src/adapters/postgres-storage/session.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { claimSends, type LeasedSend } from "../../src/webhooks/claim.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import { CurrentSendSteps, makeBatchedSteps, type SendSteps } from "../../src/webhooks/send-steps.ts"
import { countingStorage, statementsOf } from "../support/counting-service.ts"
import { testService } from "../support/service.ts"
import { acknowledgingSender } from "../support/webhooks.ts"
import { makeSubscriptions, queueDeliveries } from "./backlog.ts"
import { postmasterOf } from "./commands/variants.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure } from "./figure.ts"
import { cpuOf, medianCost, startMeasurement, type JobCost, type Measurement } from "./job-cost.ts"
import { measureGraphileWorker, measurePgBoss } from "./job-queues.ts"
import { sum } from "./measure.ts"

/** Concurrent loops, as in a worker. */
const loops = 4
const subscriptions = 40

/** What is measured in each round; graphile-worker in batches of 100 only, for which it is made. */
type Subject = "sends" | "acknowledgements" | "pg-boss" | "graphile-worker"

export interface Throughput {
  readonly figures: ReadonlyArray<Figure>
  /** The statements and the CPU time of a send. */
  readonly notes: ReadonlyArray<string>
}

export const compareThroughput = (database: ConnectionOptions, extent: Extent) => {
  const observed: Array<Counts> = []
  return Effect.gen(function* () {
    const postmaster = yield* postmasterOf(database)
    const subscriptionIds = yield* makeSubscriptions(subscriptions)
    const measured: Array<Throughput> = []
    for (const batch of [20, 100]) {
      measured.push(yield* compareBatches({ database, extent, observed, subscriptionIds, batch, postmaster }))
    }
    return {
      figures: measured.flatMap(({ figures }) => figures),
      notes: measured.flatMap(({ notes }) => notes)
    } satisfies Throughput
  }).pipe(Effect.provide(Layer.fresh(testService(countingStorage(database, observed)))))
}

interface ComparisonInput {
  readonly database: ConnectionOptions
  readonly extent: Extent
  readonly observed: Array<Counts>
  readonly subscriptionIds: ReadonlyArray<string>
  readonly batch: number
  readonly postmaster: number
}

/** The first round warms up what it compares. */
const compareBatches = Effect.fnUntraced(function* (input: ComparisonInput) {
  const { database, extent, observed, subscriptionIds, batch, postmaster } = input
  const start = () => startMeasurement(postmaster)
  const steps = yield* makeBatchedSteps
  const costs: Record<Subject, Array<JobCost>> = {
    sends: [],
    acknowledgements: [],
    "pg-boss": [],
    "graphile-worker": []
  }
  let statements = 0
  for (let round = 0; round <= extent.rounds; round++) {
    const boss = yield* measurePgBoss(database, extent.jobs, { queue: `${batch}-${round}`, batch }, start)
    const graphile = batch === 100 ? [yield* measureGraphileWorker(database, extent.jobs, start)] : []
    yield* queueDeliveries(database, subscriptionIds, extent.webhooks)
    observed.length = 0
    const sent = yield* measureSends(batch, sendWithoutNetwork(steps), start)
    statements = (sum(statementsOf(observed)) + sent.claims) / extent.webhooks
    yield* queueDeliveries(database, subscriptionIds, extent.webhooks)
    const acknowledged = yield* measureSends(batch, acknowledge(steps), start)
    if (round === 0) continue
    costs.sends.push(sent.cost)
    costs.acknowledgements.push(acknowledged.cost)
    costs["pg-boss"].push(boss)
    costs["graphile-worker"].push(...graphile)
  }
  return throughputOf(batch, costs, statements)
})

/** What a throughput is aimed at, by peer. */
type Aims = { readonly [peer in Subject]?: Pick<Figure, "aim"> }

const throughputOf = (
  batch: number,
  costs: Readonly<Record<Subject, ReadonlyArray<JobCost>>>,
  statements: number
): Throughput => {
  const sends = medianCost(costs.sends)
  const acknowledgements = medianCost(costs.acknowledgements)
  const aims: Aims =
    batch === 20 ? { "pg-boss": { aim: { atLeast: 1 } } } : { "graphile-worker": { aim: { atLeast: 0.2 } } }
  const peers = (["pg-boss", "graphile-worker"] as const).filter((peer) => costs[peer].length > 0)
  const figures = peers.flatMap((peer) => {
    const job = medianCost(costs[peer])
    const acknowledged = `claimed and acknowledged in batches of ${batch}, against ${peer}`
    return [
      rateFigure(`whole sends in batches of ${batch}, against ${peer}`, sends, job),
      { ...rateFigure(acknowledged, acknowledgements, job), ...aims[peer] },
      cpuFigure(`CPU of a whole send in batches of ${batch}, against a job of ${peer}`, sends, job)
    ]
  })
  const { node, postgres } = sends
  const cpu = `${readable(node)} ms of CPU in Node and ${readable(postgres)} ms in Postgres`
  return { figures, notes: [`  a send in batches of ${batch}: ${readable(statements)} statements, ${cpu}`] }
}

const rateFigure = (what: string, measured: JobCost, against: JobCost): Figure => ({
  what,
  measured: `${readable(measured.perSecond)}/s`,
  against: `${readable(against.perSecond)}/s`,
  ratio: measured.perSecond / against.perSecond
})

const cpuFigure = (what: string, measured: JobCost, against: JobCost): Figure => ({
  what,
  measured: `${readable(cpuOf(measured))} ms`,
  against: `${readable(cpuOf(against))} ms`,
  ratio: cpuOf(measured) / cpuOf(against)
})

/** Claims batches until nothing is due. */
const measureSends = Effect.fnUntraced(function* <R>(
  batch: number,
  work: (send: LeasedSend) => Effect.Effect<unknown, never, R>,
  start: () => Measurement
) {
  let sent = 0
  let claims = 0
  const loop = Effect.gen(function* () {
    for (;;) {
      claims += 1
      const { sends } = yield* claimSends({ places: batch, failing: batch / 2 })
      if (sends.length === 0) return
      yield* Effect.forEach(sends, work, { concurrency: "unbounded", discard: true })
      sent += sends.length
    }
  })
  const end = start()
  const together = { concurrency: "unbounded", discard: true } as const
  yield* Effect.forEach(Array.from({ length: loops }), () => loop, together)
  return { cost: end(sent), claims }
})

const acknowledge =
  ({ settle }: SendSteps) =>
  (send: LeasedSend) =>
    Effect.flatMap(now, (at) =>
      settle({
        send,
        result: {
          kind: "ATTEMPTED",
          at,
          durationMs: 1,
          outcome: "ACKNOWLEDGED",
          statusCode: 204,
          recorded: undefined
        }
      })
    )

const sendWithoutNetwork = (steps: SendSteps) => (send: LeasedSend) =>
  Effect.provide(Effect.provideService(sendWebhook(send), CurrentSendSteps, steps), acknowledgingSender)
