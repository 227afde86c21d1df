/** The search root and the properties of a script, the same in every thread that executes its runs. */
import type { MonitoredProperty } from "../properties/property.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { scenarioProperty } from "../scenario/properties/scenario-property.ts"
import { prepareSearchRoot, type SearchRoot } from "./search-root.ts"

/** `hasFaults`: false if the listed faults are not injected. Throws `Unsearchable` as `prepareSearchRoot` does. */
export const searchRootOf = (scenario: Scenario, hasFaults: boolean): SearchRoot => {
  const root = prepareSearchRoot(scenario)
  return hasFaults ? root : { ...root, search: { ...root.search, faults: [], receivers: {}, payments: [] } }
}

/** The given properties, and those of the script. */
export const propertiesOf = (
  { properties }: Scenario,
  given: ReadonlyArray<MonitoredProperty>
): ReadonlyArray<MonitoredProperty> => [...given, ...properties.map(scenarioProperty)]
