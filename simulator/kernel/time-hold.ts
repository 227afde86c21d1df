/** External calls during which virtual time is frozen. */
import { Effect } from "effect"

/** Lists the call under its name until it ends. */
export const holdingTime = <A, E, R>(
  names: Set<string>,
  name: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    names.add(name)
    return Effect.onExit(effect, () => Effect.sync(() => names.delete(name)))
  })
