/** Selects the properties that judge an observation, by what they declare. */
import type { TimedObservation } from "../observation/observation.ts"
import type { MonitoredProperty } from "./property.ts"

export class JudgedProperties {
  readonly #properties: ReadonlyArray<MonitoredProperty>
  /** The indexes of the properties that judge this kind, in their order; of a commit, those of every commit. */
  readonly #byKind = new Map<string, ReadonlyArray<number>>()
  /** By sorted names of the written tables: the indexes of the properties that judge such a commit. */
  readonly #byTables = new Map<string, ReadonlyArray<number>>()

  constructor(properties: ReadonlyArray<MonitoredProperty>) {
    this.#properties = properties
  }

  /** The indexes of the properties that judge this observation, in their order. */
  of(observed: TimedObservation): ReadonlyArray<number> {
    if (observed.kind !== "commit") return this.#remembered(this.#byKind, observed.kind, observed)
    const tables = new Set(observed.writes.map(({ table }) => table))
    return this.#remembered(this.#byTables, [...tables].sort().join(), observed)
  }

  #remembered(
    known: Map<string, ReadonlyArray<number>>,
    name: string,
    observed: TimedObservation
  ): ReadonlyArray<number> {
    const found = known.get(name)
    if (found !== undefined) return found
    const judging = [...this.#properties.keys()].filter((index) => isJudged(this.#properties[index]!, observed))
    known.set(name, judging)
    return judging
  }
}

/** True if the property declares that it judges this observation. */
export const isJudged = ({ judges }: MonitoredProperty, observed: TimedObservation): boolean => {
  if (judges === undefined || judges.kinds.includes(observed.kind)) return true
  return (
    observed.kind === "commit" &&
    judges.commitsTo?.some(({ name }) => observed.writes.some(({ table }) => table === name)) === true
  )
}
