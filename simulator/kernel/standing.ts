/** What is asked outside while time stands still. */
import { Effect } from "effect"

/** Names what time stands still for, as long as it does. */
export const standing = <A, E, R>(
  names: Set<string>,
  name: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    names.add(name)
    return Effect.onExit(effect, () => Effect.sync(() => names.delete(name)))
  })
