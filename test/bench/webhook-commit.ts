/** What a commit costs with the most subscriptions that a project takes, and without any: it queues one row for all. */
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { makeArena, nextCommand, type Arena } from "../processes/arena.ts"
import { sendCommand } from "../support/parties.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { subscribeAsAgent } from "../support/webhooks.ts"
import { inDatabase } from "./backlog.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure } from "./figure.ts"
import { median, millisecondsOf } from "./measure.ts"

const listeners = 2 * limits.subscriptionsPerSide

/** Commands on two projects in turns, of which one has all listeners that it can have. */
export const compareCommits = (database: ConnectionOptions, { commits }: Pick<Extent, "commits">) =>
  Effect.gen(function* () {
    const arena = yield* makeArena(2)
    yield* addListeners(database, arena)
    const observed: Array<number> = []
    const unobserved: Array<number> = []
    for (let turn = 0; turn < Math.min(commits, commandsEach); turn++) {
      observed.push(yield* millisecondsOf(commitOn(arena, 0)))
      unobserved.push(yield* millisecondsOf(commitOn(arena, 1)))
    }
    return {
      what: `a commit with ${readable(listeners)} subscriptions, against one without`,
      measured: `median ${readable(median(observed))} ms`,
      against: `median ${readable(median(unobserved))} ms`,
      ratio: median(observed) / median(unobserved)
    } satisfies Figure
  }).pipe(Effect.provide(testService(postgresStorage(database))))

/** Below the limit of events of a project. */
const commandsEach = 80

const commitOn = Effect.fnUntraced(function* (arena: Arena, index: number) {
  const lane = arena.lanes[index]!
  const { token, operation, body } = nextCommand(arena, lane)
  lane.view = (yield* sendCommand(token, lane.projectId, operation, body)).body
})

/** One real subscription, and copies of it as a listener. */
const addListeners = Effect.fnUntraced(function* (database: ConnectionOptions, arena: Arena) {
  const { projectId } = arena.lanes[0]!
  const { subscription } = yield* subscribeAsAgent(arena.buyerAgent.token, [projectId])
  yield* inDatabase(database, [
    `insert into webhook_listeners select copy.* from webhook_listeners as real,
       generate_series(2, ${listeners}) as number,
       lateral jsonb_populate_record(real, jsonb_build_object('subscription_id', 'webhook_' || md5(number::text))) as copy
     where real.subscription_id = '${subscription.id}'`,
    `update projects set listeners = ${listeners} where project_id = '${projectId}'`
  ])
})
