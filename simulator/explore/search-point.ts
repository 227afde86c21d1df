/** What a script says about the point from which orders matter: that they are searched, or who goes first. */
import type { Explore, Scenario, Step } from "../script/scenario.ts"

export const explorePoint = ({ steps }: Scenario): (Step & Explore) | undefined => steps.find(isExplore)

/** True where orders are searched; where one is said, it is had again. */
export const isSearched = (scenario: Scenario): boolean => {
  const point = explorePoint(scenario)
  return point !== undefined && point.choose === undefined
}

const isExplore = (step: Step): step is Step & Explore => step.kind === "explore"
