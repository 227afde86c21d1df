/** The explore step of a script: it asks for a search, or fixes one schedule. */
import type { Explore, Scenario, Step } from "../script/scenario.ts"

export const explorePoint = ({ steps }: Scenario): (Step & Explore) | undefined => steps.find(isExplore)

/** True if schedules are searched; a fixed schedule is replayed instead. */
export const isSearched = (scenario: Scenario): boolean => {
  const point = explorePoint(scenario)
  return point !== undefined && point.choose === undefined
}

/** True for one fixed schedule: given by choices, or first come, first served with no fault or reachability listed. */
export const isOneRun = (scenario: Scenario): boolean => {
  const point = explorePoint(scenario)
  if (point === undefined) return false
  const { exhaustive, faults, receivers, reaches } = point.search
  const listsNothing = !exhaustive && faults.length === 0 && Object.keys(receivers).length === 0 && reaches.length === 0
  return point.choose !== undefined || listsNothing
}

const isExplore = (step: Step): step is Step & Explore => step.kind === "explore"
