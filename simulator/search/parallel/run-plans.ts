/** The decisions of a planned run, and its name. */
import type { Decider } from "../choice-point.ts"
import { pathDecider } from "../strategies/delay-bounded.ts"
import { depthFirstDecider } from "../strategies/depth-first-plan.ts"
import { priorityDecider } from "../strategies/pct.ts"
import { randomDecider } from "../strategies/random-walk.ts"
import type { RunPlan } from "../strategies/strategy.ts"
import type { VisitedStates } from "../strategies/visited-states.ts"

export const plannedDecider = (plan: RunPlan, visited: VisitedStates): Decider => {
  switch (plan.by) {
    case "exhaustive":
      return depthFirstDecider(plan, visited)
    case "path":
      return pathDecider(plan)
    case "priorities":
      return priorityDecider(plan)
    case "random walk":
      return randomDecider(plan)
  }
}

/** Equal for plans of the same run. */
export const nameOfPlan = (plan: RunPlan): string =>
  "path" in plan ? `${plan.by} ${plan.path.join()}` : Object.values(plan).join(" ")
