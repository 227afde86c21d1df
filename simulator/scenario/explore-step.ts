/** The explore step of a script: it asks for a search, or fixes one schedule. */
import type { ExploreAction, Scenario, Search, Step } from "./format/scenario.ts"
import { currentPropertyName } from "../properties/renamed-properties.ts"

export const exploreStep = ({ steps }: Scenario): (Step & ExploreAction) | undefined => {
  const point = steps.find(isExplore)
  return point && { ...point, search: currentSearch(point) }
}

/** The search of an explore step, with former property names replaced. */
export const currentSearch = ({ search }: ExploreAction): Search => ({
  ...search,
  reaches: search.reaches.map(currentPropertyName)
})

/** True if schedules are searched; a fixed schedule is replayed instead. */
export const isSearched = (scenario: Scenario): boolean => {
  const point = exploreStep(scenario)
  return point !== undefined && point.choose === undefined
}

/** True for one fixed schedule: given by choices, or first come, first served with no fault or reachability listed. */
export const hasFixedSchedule = (scenario: Scenario): boolean => {
  const point = exploreStep(scenario)
  if (point === undefined) return false
  const { exhaustive, faults, receivers, payments, reaches } = point.search
  const listed = [...faults, ...Object.keys(receivers), ...payments, ...reaches]
  const listsNothing = !exhaustive && listed.length === 0
  return point.choose !== undefined || listsNothing
}

const isExplore = (step: Step): step is Step & ExploreAction => step.kind === "explore"
