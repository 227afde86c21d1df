/** Sleeps in virtual time. */
import { Effect } from "effect"
import { currentActor } from "./current-actor.ts"
import type { Timers } from "./timers.ts"

/** Completes when the timer fires; `fired` is called before. */
export const sleepOn = (
  timers: Timers,
  now: () => number,
  fired: () => void,
  milliseconds: number
): Effect.Effect<void> => {
  if (milliseconds <= 0) return Effect.yieldNow
  if (!Number.isFinite(milliseconds)) return Effect.never
  return Effect.flatMap(currentActor, ([actor, owner, line]) =>
    Effect.callback<void>((resume) => {
      const wait = line?.waits()
      const timer = timers.insert({
        at: now() + Math.ceil(milliseconds),
        name: `${actor}:timer`,
        history: line,
        wait,
        owner,
        run: () => {
          line?.record([wait, now()])
          fired()
          timers.remove(timer)
          resume(Effect.void)
        }
      })
      return Effect.sync(() => timers.remove(timer))
    })
  )
}
