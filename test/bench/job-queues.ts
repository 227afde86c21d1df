/** Job queues on the same Postgres, in the fast configuration of their documentation, with empty handlers. */
import { Effect } from "effect"
import { Logger, makeWorkerUtils, run } from "graphile-worker"
import { PgBoss } from "pg-boss"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { urlOf } from "../support/installation.ts"
import { inDatabase } from "./backlog.ts"

/** Fetches and completes batches in eight loops; returns jobs per second. */
export const measurePgBoss = Effect.fnUntraced(function* (database: ConnectionOptions, jobs: number, batch: number) {
  const queue = `bench-${batch}`
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
  const began = performance.now()
  yield* Effect.promise(() => Promise.all(Array.from({ length: 8 }, loop)))
  return done / ((performance.now() - began) / 1000)
}, Effect.scoped)

/**
 * A local queue with batched completions, 24 concurrent jobs; returns jobs per second from the first to the last
 * handler.
 */
export const measureGraphileWorker = Effect.fnUntraced(function* (database: ConnectionOptions, jobs: number) {
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
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let began = 0
  let done = 0
  const nothing = async () => {
    if (done === 0) began = performance.now()
    if (++done === jobs) end()
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
  yield* Effect.promise(() => ended)
  const seconds = (performance.now() - began) / 1000
  yield* Effect.promise(() => runner.stop())
  return jobs / seconds
}, Effect.scoped)

const fillBatch = 1000

const analyzeAndCheckpoint = (database: ConnectionOptions) => inDatabase(database, ["analyze", "checkpoint"])
