/** Which scripts are held against memory on Postgres: those of which every order in memory can be known. */
import type { Scenario } from "../../script/scenario.ts"
import { explorePoint, isSearched } from "../search-point.ts"

/** Why a script that says explore is left out where nobody named it; undefined where it is held. */
export const leftOutFor = (scenario: Scenario): string | undefined => {
  if (!isSearched(scenario)) return "it says who goes first, so that it has one order"
  return explorePoint(scenario)?.search.exhaustive === true
    ? undefined
    : "it is not marked exhaustive, so that not every order in memory is known"
}

/** What of it is not driven there; undefined where everything is. */
export const notDrivenIn = (scenario: Scenario): string | undefined => {
  const search = explorePoint(scenario)?.search
  if (search === undefined) return undefined
  const faults = search.faults.length + Object.values(search.receivers).flat().length
  return faults === 0 ? undefined : `${faults} of what may go wrong: on Postgres nothing goes wrong by itself`
}
