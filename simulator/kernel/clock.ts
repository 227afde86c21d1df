/** Effect's clock over virtual time. */
import { type Clock, Duration, Effect } from "effect"

/** `now` and `sleep` are in whole milliseconds; the monotonic clock is the same clock. */
export const virtualClock = (now: () => number, sleep: (milliseconds: number) => Effect.Effect<void>): Clock.Clock => {
  const nanoseconds = () => BigInt(now()) * nanosecondsPerMillisecond
  return {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: nanoseconds,
    currentTimeNanos: Effect.sync(nanoseconds),
    monotonicTimeNanosUnsafe: nanoseconds,
    monotonicTimeNanos: Effect.sync(nanoseconds),
    sleep: (duration) => sleep(Duration.toMillis(duration))
  }
}

const nanosecondsPerMillisecond = 1_000_000n
