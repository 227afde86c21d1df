/** Job queues on the same Postgres, in the fast configuration of their documentation, with empty handlers. */
import { Effect } from "effect"
import { Logger, makeWorkerUtils, run } from "graphile-worker"
import { PgBoss } from "pg-boss"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { urlOf } from "../support/installation.ts"
import { inDatabase } from "./backlog.ts"
import type { JobCost, Measurement } from "./job-cost.ts"

/** Fetches and completes batches in eight loops. */
export const measurePgBoss = Effect.fnUntraced(function* (
  database: ConnectionOptions,
  jobs: number,
  { queue, batch }: { readonly queue: string; readonly batch: number },
  start: () => Measurement
) {
  const boss = yield* Effect.acquireRelease(
    Effect.promise(() => new PgBoss({ connectionString: urlOf(database), supervise: false, schedule: false }).start()),
    (boss) => Effect.promise(() => boss.stop({ graceful: false }))
  )
  yield* Effect.promise(() => boss.createQueue(queue))
  for (let filled = 0; filled < jobs; filled += fillBatch) {
    yield* Effect.promise(() =>
      boss.insert(
        queue,
        Array.from({ length: fillBatch }, () => ({ data: {} }))
      )
    )
  }
  yield* analyzeAndCheckpoint(database)
  let done = 0
  const loop = async () => {
    for (;;) {
      const fetched = await boss.fetch(queue, { batchSize: batch })
      if (fetched.length === 0) return
      await boss.complete(
        queue,
        fetched.map(({ id }) => id)
      )
      done += fetched.length
    }
  }
  const end = start()
  yield* Effect.promise(() => Promise.all(Array.from({ length: 8 }, loop)))
  return end(done)
}, Effect.scoped)

/** A local queue with batched completions, 24 concurrent jobs, from the first to the last handler. */
export const measureGraphileWorker = Effect.fnUntraced(function* (
  database: ConnectionOptions,
  jobs: number,
  start: () => Measurement
) {
  const connectionString = urlOf(database)
  const logger = new Logger(() => () => {})
  const utils = yield* Effect.acquireRelease(
    Effect.promise(() => makeWorkerUtils({ connectionString, logger })),
    (utils) => Effect.promise(() => utils.release() as Promise<void>)
  )
  yield* Effect.promise(() => utils.migrate())
  for (let filled = 0; filled < jobs; filled += fillBatch) {
    yield* Effect.promise(() =>
      utils.addJobs(Array.from({ length: fillBatch }, () => ({ identifier: "nothing", payload: {} })))
    )
  }
  yield* analyzeAndCheckpoint(database)
  const { promise: ended, resolve } = Promise.withResolvers<JobCost>()
  let end: Measurement | undefined
  let done = 0
  const nothing = async () => {
    end ??= start()
    if (++done === jobs) resolve(end(jobs))
  }
  const preset = {
    worker: {
      connectionString,
      logger,
      concurrentJobs: 24,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0
    }
  }
  const runner = yield* Effect.promise(() => run({ preset, taskList: { nothing }, noHandleSignals: true }))
  const cost = yield* Effect.promise(() => ended)
  yield* Effect.promise(() => runner.stop())
  return cost
}, Effect.scoped)

const fillBatch = 1000

const analyzeAndCheckpoint = (database: ConnectionOptions) => inDatabase(database, ["analyze", "checkpoint"])
