/** Effect's own services for all fibers of one world. */
import { Clock, Context, Metric, Random, References, Scheduler } from "effect"
import { SecureRandom } from "effect/crypto"
import type { RandomStreams } from "./prng.ts"

export const effectContext = (
  streams: RandomStreams,
  scheduler: Scheduler.Scheduler,
  clock: Clock.Clock
): Context.Context<SecureRandom.SecureRandom> =>
  Context.make(SecureRandom.SecureRandom, streams.secureRandom).pipe(
    Context.add(Random.Random, streams.random),
    Context.add(Scheduler.Scheduler, scheduler),
    Context.add(Clock.Clock, clock),
    // Spans are not collected: observations take their place.
    Context.add(References.TracerEnabled, false),
    Context.add(Metric.MetricRegistry, new Map())
  )
