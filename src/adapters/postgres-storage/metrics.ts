/** Metrics of this process's connections, of the locks that its transactions wait for, and of indeterminate commits. No id is a label. */
import { Clock, Effect, Metric } from "effect"
import type { Context, Scope } from "effect"
import type { LockKey } from "../../ports/storage.ts"
import { lockKinds, type LockKind } from "../../ports/table.ts"
import { counterBy } from "../../vocabulary/metric.ts"

const byLockKind = <M>(metricOf: (kind: LockKind) => M): ReadonlyMap<LockKind, M> =>
  new Map(lockKinds.map((kind) => [kind, metricOf(kind)]))

const waitBoundaries = Metric.boundariesFromIterable([1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000])

const connectionsInUse = Metric.gauge("countersign_pool_connections_in_use", {
  description: "Connections of this process that a transaction, a view or a single statement uses"
})

const connectionsOpen = Metric.gauge("countersign_pool_connections_open", {
  description: "Open connections of the pool of this process"
})

const connectionsAwaited = Metric.gauge("countersign_pool_waiting", {
  description: "Transactions, views and single statements that wait for a connection"
})

const poolWaits = Metric.histogram("countersign_pool_wait_milliseconds", {
  description: "Milliseconds until a connection was free and open, or the wait ended without one",
  boundaries: waitBoundaries
})

const poolTimeouts = Metric.counter("countersign_pool_timeouts_total", {
  description: "Waits for a connection that ended without one, because every connection was busy for too long",
  incremental: true
})

const queueWaits = byLockKind((kind) =>
  Metric.histogram("countersign_lock_queue_milliseconds", {
    description: "Milliseconds that a transaction waited inside this process for a lock that others held, by its kind",
    boundaries: waitBoundaries,
    attributes: { kind }
  })
)

const lockWaits = byLockKind((kind) =>
  Metric.histogram("countersign_lock_wait_milliseconds", {
    description:
      "Milliseconds until Postgres granted the locks of a transaction, or refused one, by the kind of the last or refused one",
    boundaries: waitBoundaries,
    attributes: { kind }
  })
)

/** Without an answer: committed, rolled back, or unknown. Not replicated: committed here, and perhaps on no standby. */
const indeterminateOutcomes = ["COMMITTED", "NOT_COMMITTED", "UNKNOWN", "NOT_REPLICATED"] as const

export const countIndeterminateCommit = counterBy<{ outcome: (typeof indeterminateOutcomes)[number] }>(
  "countersign_indeterminate_commits_total",
  "Commits without an answer, or that may be on no standby, by outcome"
)

/** Prometheus sees an increase only of a counter that it has read before: those of an alert begin with 0. */
const beginCounters = Effect.andThen(
  Metric.update(poolTimeouts, 0),
  Effect.forEach(indeterminateOutcomes, (outcome) => countIndeterminateCommit({ outcome }, 0), { discard: true })
)

/** Measures a wait in the queues of this process. */
export const measureQueueWait = ({ kind }: LockKey, wait: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    const began = millisecondsOf(clock)
    return Effect.onExit(wait, () => Metric.update(queueWaits.get(kind)!, millisecondsOf(clock) - began))
  })

/** What the pool of connections is used for now. */
export interface PoolUsage {
  readonly inUse: number
  readonly open: number
  readonly waiting: number
}

/** Measures by the clock of a store outside of fibers, so that a transaction pays readings of the clock and no more. */
export class StorageMeter {
  readonly #clock: Clock.Clock
  readonly #context: Context.Context<never>

  private constructor(clock: Clock.Clock, context: Context.Context<never>) {
    this.#clock = clock
    this.#context = context
  }

  static readonly make: Effect.Effect<StorageMeter> = Effect.gen(function* () {
    return new StorageMeter(yield* Clock.Clock, yield* Effect.context<never>())
  })

  get milliseconds(): number {
    return millisecondsOf(this.#clock)
  }

  addPoolWait(began: number): void {
    poolWaits.updateUnsafe(this.milliseconds - began, this.#context)
  }

  countPoolTimeout(): void {
    poolTimeouts.updateUnsafe(1, this.#context)
  }

  addLockWait(kind: LockKind, began: number): void {
    lockWaits.get(kind)!.updateUnsafe(this.milliseconds - began, this.#context)
  }

  /** Begins the metrics of a pool. Its usage is read whenever the metrics are. */
  showPool(usage: PoolUsage): Effect.Effect<void, never, Scope.Scope> {
    const gauges = [
      [connectionsInUse, () => usage.inUse],
      [connectionsOpen, () => usage.open],
      [connectionsAwaited, () => usage.waiting]
    ] as const
    const register = Effect.sync(() =>
      gauges.map(([gauge, value]) =>
        Metric.registerUnsafe(gauge, this.#context, {
          get: () => ({ value: value() }),
          update: () => {},
          modify: () => {}
        })
      )
    )
    const registered = Effect.acquireRelease(register, (registrations) =>
      Effect.sync(() => {
        for (const gauge of registrations) gauge.remove()
      })
    )
    return Effect.andThen(registered, beginCounters)
  }
}

const millisecondsOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000
