/** What a script says about the point from which orders matter: that they are searched, or who goes first. */
import type { Explore, Scenario, Step } from "../script/scenario.ts"

export const explorePoint = ({ steps }: Scenario): (Step & Explore) | undefined => steps.find(isExplore)

/** True where orders are searched; where one is said, it is had again. */
export const isSearched = (scenario: Scenario): boolean => {
  const point = explorePoint(scenario)
  return point !== undefined && point.choose === undefined
}

/** True where one order is said: by who goes first, or by nothing where whoever asks first does and nothing is left open. */
export const isOneRun = (scenario: Scenario): boolean => {
  const point = explorePoint(scenario)
  if (point === undefined) return false
  const { exhaustive, faults, receivers, reaches } = point.search
  const leavesNothingOpen =
    !exhaustive && faults.length === 0 && Object.keys(receivers).length === 0 && reaches.length === 0
  return point.choose !== undefined || leavesNothingOpen
}

const isExplore = (step: Step): step is Step & Explore => step.kind === "explore"
