/** The scripts whose outcomes on Postgres are compared with memory: those that are searched exhaustively in memory. */
import type { Scenario } from "../../scenario/format/scenario.ts"
import { exploreStep, isSearched } from "../../scenario/explore-step.ts"

/** The reason to exclude a script with an explore step that was not named; undefined if it is compared. */
export const exclusionReason = (scenario: Scenario): string | undefined => {
  if (!isSearched(scenario)) return "its schedule is fixed by choose"
  return exploreStep(scenario)?.search.exhaustive === true
    ? undefined
    : "it is not marked exhaustive, so that its outcomes in memory are not all known"
}

/** The listed faults that are not injected on Postgres, in words; undefined if there are none. */
export const excludedFaults = (scenario: Scenario): string | undefined => {
  const search = exploreStep(scenario)?.search
  if (search === undefined) return undefined
  const faults = search.faults.length + Object.values(search.receivers).flat().length + search.payments.length
  return faults === 0 ? undefined : `${faults} listed faults: faults are not injected on Postgres`
}
