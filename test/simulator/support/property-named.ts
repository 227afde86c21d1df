/** Finds a property by the name that reports and scenarios use. */
import { properties } from "../../../simulator/properties/all-properties.ts"
import type { MonitoredProperty } from "../../../simulator/properties/property.ts"

export const propertyNamed = (name: string): MonitoredProperty => {
  const property = properties.find((one) => one.name === name)
  if (property === undefined) throw new RangeError(`no property is named ${name}`)
  return property
}
