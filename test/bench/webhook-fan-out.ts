/** The cost of one event for very many subscriptions: numbered together, and each alone. */
import { Effect, Layer } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import type { Counts } from "../../src/adapters/postgres-storage/session.ts"
import { never } from "../../src/vocabulary/instant.ts"
import { fanOut, fanOutDue } from "../../src/webhooks/fan-out.ts"
import { makeArena, nextCommand, type Arena } from "../processes/arena.ts"
import { countingStorage, statementsOf } from "../support/counting-service.ts"
import { sendCommand } from "../support/parties.ts"
import { testService } from "../support/service.ts"
import { subscribeAsAgent } from "../support/webhooks.ts"
import { inDatabase } from "./backlog.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure } from "./figure.ts"
import { median, millisecondsOf } from "./measure.ts"

const subscriptions = 1_000

export interface FanOutCosts {
  readonly figure: Figure
  /** The statements of one event for all subscriptions. */
  readonly statements: string
}

/** Events in turns: one is numbered for all subscriptions together, the next for each alone. */
export const compareFanOut = (database: ConnectionOptions, { rounds }: Pick<Extent, "rounds">) => {
  const observed: Array<Counts> = []
  return Effect.gen(function* () {
    const arena = yield* makeArena(1)
    const subscriptionIds = yield* copySubscription(database, arena)
    const together: Array<number> = []
    const alone: Array<number> = []
    let statements: ReadonlyArray<number> = []
    for (let round = 0; round < rounds; round++) {
      yield* commitFor(database, arena)
      observed.length = 0
      together.push(yield* millisecondsOf(fanOutDue()))
      statements = statementsOf(observed)
      yield* commitFor(database, arena)
      const each = Effect.forEach(subscriptionIds, (id) => fanOut([id]), { concurrency: 4, discard: true })
      alone.push(yield* millisecondsOf(each))
      yield* fanOutDue()
    }
    return { figure: figureOf(median(together), median(alone)), statements: textOf(statements) } satisfies FanOutCosts
  }).pipe(Effect.provide(Layer.fresh(testService(countingStorage(database, observed)))))
}

const figureOf = (together: number, alone: number): Figure => ({
  what: `one event numbered for ${readable(subscriptions)} subscriptions, against four at a time`,
  measured: `${readable(together)} ms`,
  against: `${readable(alone)} ms`,
  ratio: together / alone
})

const textOf = (statements: ReadonlyArray<number>): string =>
  `  statements for ${readable(subscriptions)} subscriptions: the claim of the event, ${statements.join(" + ")} in its view and transactions`

/** One real subscription and its copies, which no command of the service could make so many of. */
const copySubscription = Effect.fnUntraced(function* (database: ConnectionOptions, arena: Arena) {
  const { projectId } = arena.lanes[0]!
  const { subscription } = yield* subscribeAsAgent(arena.buyerAgent.token, [projectId])
  const copyIds = Array.from({ length: subscriptions - 1 }, () => `webhook_${crypto.randomUUID()}`)
  const copies = `unnest(array[${copyIds.map((id) => `'${id}'`).join(", ")}]) as copy_id`
  const copyOf = (table: string) =>
    `insert into ${table} select copy.* from ${table} as real, ${copies},
       lateral jsonb_populate_record(real, jsonb_build_object('subscription_id', copy_id)) as copy
     where real.subscription_id = '${subscription.id}'`
  yield* inDatabase(database, [copyOf("webhook_subscriptions"), copyOf("webhook_reaches"), "analyze"])
  return [subscription.id, ...copyIds]
})

/** Commits the next event, and queues it for every copy too. */
const commitFor = Effect.fnUntraced(function* (database: ConnectionOptions, arena: Arena) {
  const lane = arena.lanes[0]!
  const { token, operation, body } = nextCommand(arena, lane)
  lane.view = (yield* sendCommand(token, lane.projectId, operation, body)).body
  yield* inDatabase(database, [
    `update webhook_events set subscription_ids = (
       select jsonb_agg(subscription_id) from webhook_reaches where project_id = '${lane.projectId}')
     where project_id = '${lane.projectId}' and due_at < '${never}'`
  ])
})
