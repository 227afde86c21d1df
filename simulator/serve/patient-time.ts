/**
 * Patient time, for agents without a clock of the world: after so much silence in real time the time of a world moves
 * through what is due within an hour, until something other than the service itself acts. Where nothing is due, it moves once
 * after the last request, so that the waits of an agent end too: by a minute, and each further time by twice as much, at most by
 * an hour, from a minute again after an act. Nowhere else does real time move virtual time.
 */
import type { TimedObservation } from "../observation/observation.ts"
import { advanceTo, dueSoon } from "./due-times.ts"
import type { ServedWorld } from "./served-world.ts"

/** Returns a function that ends it; `silence` is in milliseconds. */
export const moveAfterSilence = (
  worlds: { readonly all: ReadonlyArray<ServedWorld> },
  silence: number
): (() => void) => {
  const moving = new Set<ServedWorld>()
  const idle = new WeakMap<ServedWorld, IdleMove>()
  const look = setInterval(
    () => {
      for (const world of worlds.all) {
        if (moving.has(world) || performance.now() - world.lastActivity < silence) continue
        if (!world.live.isAtRest || world.live.frozenFor.length > 0) continue
        const isIdle = dueSoon(world) === undefined
        const earlier = idle.get(world)
        if (isIdle && earlier?.activity === world.lastActivity) continue
        const moved = earlier === undefined || hasActed(world, earlier) ? minute : Math.min(2 * earlier.moved, hour)
        moving.add(world)
        void (isIdle ? moveTo(world, world.live.session.scheduler.now + moved) : moveThroughDue(world))
          .catch(() => undefined)
          .finally(() => {
            world.notice()
            const observed = world.live.session.observations.length
            if (isIdle) idle.set(world, { activity: world.lastActivity, moved, observed })
            else idle.delete(world)
            moving.delete(world)
          })
      }
    },
    Math.min(silence, lookMilliseconds)
  )
  look.unref()
  return () => clearInterval(look)
}

/** The last move of the time of a world in which nothing was due. */
interface IdleMove {
  readonly activity: number
  readonly moved: number
  /** The number of observations after it. */
  readonly observed: number
}

/** True if there was an act since then, such as a tell; an agent that waits only reads. */
const hasActed = ({ live: { session } }: ServedWorld, { observed }: IdleMove): boolean =>
  session.observations.slice(observed).some(({ kind }) => kind === "act")

const minute = 60_000
const hour = 60 * minute
const lookMilliseconds = 100

const moveThroughDue = async (world: ServedWorld): Promise<void> => {
  const { session } = world.live
  const latest = session.scheduler.now + hour
  const { lastActivity } = world
  for (let next = dueSoon(world); next !== undefined && next.at <= latest; next = dueSoon(world)) {
    const before = session.observations.length
    await moveTo(world, next.at)
    if (world.lastActivity !== lastActivity || session.observations.slice(before).some(isOfOthers)) return
  }
}

const moveTo = async (world: ServedWorld, at: number): Promise<void> => {
  await advanceTo(world, at)
  await world.acts?.act()
}

/** True for what people, agents and receivers did; the service alone looks for a credit, or tries a receiver again. */
const isOfOthers = ({ kind }: TimedObservation): boolean => kind === "request" || kind === "act" || kind === "received"
