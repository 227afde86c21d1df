/** Schedules with fewer deviations from first come, first served. */
import { isDeviation, type RecordedChoice, type ReplaySchedule } from "./replay.ts"
import type { Reduction } from "./fewer-steps.ts"

/** Prefixes of the schedule, the shortest first. */
export const truncations = (made: ReadonlyArray<RecordedChoice>): ReadonlyArray<Reduction<ReplaySchedule>> =>
  [0, 1, 2, Math.floor(made.length / 2)]
    .filter((length, index, all) => length < made.length && all.indexOf(length) === index)
    .map((length) => ({ what: `everything after choice ${length}`, left: byPosition(made.slice(0, length)) }))

/** Each with one deviation replaced by first come, first served. */
export const withoutDeviation = (made: ReadonlyArray<RecordedChoice>): ReadonlyArray<Reduction<ReplaySchedule>> =>
  made.flatMap((one, index) => {
    if (!isDeviation(one)) return []
    const names = byPosition(made).names.with(index, undefined)
    return [{ what: `choice ${index + 1}: ${one.chosen}`, left: { names, how: "BY_POSITION" as const } }]
  })

/** Each without one choice, so that the following choices move up. */
export const withoutPosition = (made: ReadonlyArray<RecordedChoice>): ReadonlyArray<Reduction<ReplaySchedule>> =>
  made.map(({ chosen }, index) => ({
    what: `choice ${index + 1}: ${chosen}`,
    left: { names: made.toSpliced(index, 1).map((one) => one.chosen), how: "BY_NAME" }
  }))

export const deviationsIn = (made: ReadonlyArray<RecordedChoice>): number => made.filter(isDeviation).length

const byPosition = (made: ReadonlyArray<RecordedChoice>): ReplaySchedule => ({
  names: made.map((one) => (isDeviation(one) ? one.chosen : undefined)),
  how: "BY_POSITION"
})
