/** The built-in properties without their declarations, which are compared with what each property does. */
import { isDeepStrictEqual } from "node:util"
import { properties as builtIn } from "../../../simulator/properties/all-properties.ts"
import { isJudged } from "../../../simulator/properties/judged-properties.ts"
import type { MonitoredProperty } from "../../../simulator/properties/property.ts"

export interface CheckedDeclarations {
  /** They judge every observation. */
  readonly properties: ReadonlyArray<MonitoredProperty>
  /** The undeclared observations that changed a state, violated a property or were a witness. */
  readonly wrong: ReadonlyArray<string>
}

export const checkedDeclarations = (properties: ReadonlyArray<MonitoredProperty> = builtIn): CheckedDeclarations => {
  const wrong: Array<string> = []
  const undeclared = properties.map((property): MonitoredProperty => {
    const { judges: _judges, ...others } = property
    return {
      ...others,
      next: (state, moment) => {
        const result = property.next(state, moment)
        if (result !== state && !isJudged(property, moment.observed) && !isDeepStrictEqual(result, state)) {
          wrong.push(`${property.name}: ${moment.observed.kind}`)
        }
        return result
      }
    }
  })
  return { properties: undeclared, wrong }
}
