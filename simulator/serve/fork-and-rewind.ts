/** Snapshot, fork and rewind of a world: a fork or a rewind replays its first steps. */
import { waitUntil } from "./real-time-wait.ts"
import { ControlRefusal } from "./control-refusals.ts"
import type { ServedWorld, Snapshot } from "./served-world.ts"
import type { Worlds } from "./worlds.ts"

/** The name of a snapshot, or a number of steps. */
export type HistoryPosition = string | number

export const takeSnapshot = async (world: ServedWorld, name: string): Promise<Snapshot> => {
  await awaitQuiescence(world)
  if (world.snapshots.has(name)) throw new ControlRefusal("TAKEN", `Snapshot ${name} already exists.`)
  const { storedSteps, now } = world.live.session
  const snapshot = { name, step: storedSteps.length, at: now }
  world.snapshots.set(name, snapshot)
  return snapshot
}

export const fork = async (
  world: ServedWorld,
  worlds: Worlds,
  from: HistoryPosition | undefined
): Promise<ServedWorld> => {
  await awaitQuiescence(world)
  return worlds.fork(world, stepOf(world, from))
}

export const rewind = async (world: ServedWorld, to: HistoryPosition | undefined): Promise<void> => {
  if (to === undefined)
    throw new ControlRefusal("INVALID_REQUEST", "to is missing: name a snapshot or a number of steps.")
  await awaitQuiescence(world)
  world.rewind(stepOf(world, to))
}

/** Requests in flight have no state to return to: refuses unless the world becomes quiescent. */
const awaitQuiescence = async ({ live, programTimeout }: ServedWorld): Promise<void> => {
  if (await waitUntil(() => live.isAtRest, programTimeout)) return
  const inFlight = [...live.inFlight, ...live.frozenFor]
  throw new ControlRefusal("NOT_AT_REST", `In flight: ${inFlight.join(", ")}.`, { inFlight })
}

const stepOf = (world: ServedWorld, place: HistoryPosition = world.live.session.storedSteps.length): number => {
  if (typeof place === "string") {
    const snapshot = world.snapshots.get(place)
    if (snapshot === undefined) throw new ControlRefusal("NOT_FOUND", `Unknown snapshot ${place}.`)
    return snapshot.step
  }
  const { length } = world.live.session.storedSteps
  if (place > length) throw new ControlRefusal("NOT_FOUND", `The world has only ${length} steps.`)
  return place
}
