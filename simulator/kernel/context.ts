/** Effect's own services for one world: what every fiber of it runs with. */
import { Clock, Context, Metric, Random, References, Scheduler } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Streams } from "./random.ts"

export const contextOf = (
  streams: Streams,
  scheduler: Scheduler.Scheduler,
  clock: Clock.Clock
): Context.Context<SecureRandom.SecureRandom> =>
  Context.make(SecureRandom.SecureRandom, streams.secureRandom).pipe(
    Context.add(Random.Random, streams.random),
    Context.add(Scheduler.Scheduler, scheduler),
    Context.add(Clock.Clock, clock),
    // Nobody collects spans here: what a run tells is what is observed.
    Context.add(References.TracerEnabled, false),
    Context.add(Metric.MetricRegistry, new Map())
  )
