/** Checks the properties of a scenario against one run. */
import type { NameRegistry } from "../../clients/name-registry.ts"
import { scenarioProperty } from "./scenario-property.ts"
import { needsRows } from "./subjects.ts"
import { Monitors } from "../../properties/monitors.ts"
import { type Content, emptyContent } from "../../storage/memory-storage/content.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import { labelOf, type Property } from "../format/property-form.ts"
import type { WorldDefinition } from "../format/scenario.ts"
import { worldKeys } from "../world-keys.ts"

/** A property that was not judged in a run, and why. */
export interface UnjudgedProperty {
  readonly property: Property
  readonly reason: string
  /** True where only this store hides the rows that it judges. */
  readonly isSeenElsewhere: boolean
}

export class PropertyJudge {
  readonly #properties: ReadonlyArray<Property>
  readonly #monitors: Monitors
  #directory: NameRegistry | undefined
  #hasRows = false

  constructor({ properties, seed, given }: WorldDefinition) {
    this.#properties = properties
    const keys = worldKeys({ seed, given })
    this.#monitors = new Monitors(properties.map(scenarioProperty), emptyContent, keys)
  }

  /** Provides the names of the scenario. */
  follow(directory: NameRegistry): void {
    this.#directory = directory
  }

  /** `content` is undefined where the rows are not in memory. */
  observe(observed: TimedObservation, content: Content | undefined): void {
    if (this.#directory === undefined) return
    this.#hasRows = content !== undefined
    this.#monitors.observe(observed, content ?? emptyContent, this.#directory)
  }

  end(): void {
    this.#monitors.end()
  }

  /** The first property that is violated. */
  get violation(): { readonly property: string; readonly words: string } | undefined {
    const { violation } = this.#monitors
    return violation && { property: violation.property, words: violation.words }
  }

  get unjudged(): ReadonlyArray<UnjudgedProperty> {
    return this.#properties.flatMap((property) => {
      if (this.#monitors.reached.has(labelOf(property))) return []
      const isSeenElsewhere = needsRows(property.form) && !this.#hasRows
      const reason = isSeenElsewhere ? "projects are judged with --storage memory alone" : whyUnjudged(property)
      return [{ property, reason, isSeenElsewhere }]
    })
  }
}

/** The reason why no run judged a property. */
export const whyUnjudged = ({ form }: Property): string => {
  const left = form.when === undefined ? "" : " that matches its when"
  if (form.project !== undefined) return `there was no project ${form.project}${left}, or no value at its paths`
  if (form.events !== undefined) return `${form.events} had no event${left}, or none with a value at its paths`
  if (form.answers !== undefined) return `no answer was selected${left}, or had a value at its paths`
  if (form.requests !== undefined) return `no request was sent${left}, or had a value at its paths`
  if (form.tells !== undefined) return `nothing was told${left}, or had a value at its paths`
  return `no webhook was selected${left}, or had a value at its paths`
}
