/**
 * Patient time, for agents without a clock of the world: after so much silence in real time the time of a world moves to
 * the next moment at which something is due. This is the only place where real time moves virtual time.
 */
import { advanceTo, dueSoon } from "./due-times.ts"
import type { ServedWorld } from "./served-world.ts"

/** Returns a function that ends it; `silence` is in milliseconds. */
export const moveAfterSilence = (
  worlds: { readonly all: ReadonlyArray<ServedWorld> },
  silence: number
): (() => void) => {
  const moving = new Set<ServedWorld>()
  const look = setInterval(
    () => {
      for (const world of worlds.all) {
        const next = dueSoon(world)
        if (moving.has(world) || next === undefined || performance.now() - world.lastActivity < silence) continue
        if (!world.live.isAtRest || world.live.frozenFor.length > 0) continue
        moving.add(world)
        void advanceTo(world, next.at)
          .then(() => world.acts?.act())
          .catch(() => undefined)
          .finally(() => {
            world.notice()
            moving.delete(world)
          })
      }
    },
    Math.min(silence, lookMilliseconds)
  )
  look.unref()
  return () => clearInterval(look)
}

const lookMilliseconds = 100
