/**
 * A property of a scenario, monitored like the built-in properties and part of the state hash. `reached` is the vacuity
 * check: the property was judged at least once.
 */
import { type Difference, differencesFrom, differenceText } from "../../observation/compare.ts"
import {
  PropertyViolation,
  violation,
  monitoredProperty,
  type MonitoredProperty,
  type Moment,
  Witness,
  witness
} from "../../properties/property.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../../vocabulary/json.ts"
import { labelOf, type Property, type PropertyForm } from "../format/property-form.ts"
import { resolve, resolveText, UnresolvedReference } from "../format/references.ts"
import {
  answerIn,
  callbackIn,
  eventsIn,
  type Item,
  projectIn,
  requestIn,
  type Subject,
  subjectOf,
  tellIn
} from "./subjects.ts"

export const scenarioProperty = (property: Property): MonitoredProperty => {
  const subject = subjectOf(property.form)
  return subject === "project" || subject === "events" ? ofRows(property) : ofObservations(property)
}

const kindOf = ({ kind }: Property): "always" | "eventually" => (kind === "eventually" ? kind : "always")

const says = ({ kind, form }: Property): string =>
  `${kind === "always" ? "Always" : kind === "never" ? "Never" : "Eventually"}: ${form.name}`

/** Judges the rows at each moment, without a state of its own. */
const ofRows = (property: Property): MonitoredProperty => {
  const judge = (moment: Moment): PropertyViolation | Witness | undefined => {
    const stated = ResolvedProperty.of(property, moment)
    const items = stated?.itemsIn(moment)
    if (stated === undefined || items === undefined) return undefined
    return property.form.events === undefined ? stated.judgeOne(items) : stated.judgeAll(items)
  }
  return monitoredProperty<null>({
    name: labelOf(property),
    kind: kindOf(property),
    says: says(property),
    initial: null,
    next: (_, moment) => (property.kind === "eventually" ? null : (judge(moment) ?? null)),
    ...(property.kind === "eventually" ? { atEnd: (_: null, moment: Moment) => judge(moment) } : {})
  })
}

/** Judges one observation after another; its state is the number of matches. */
const ofObservations = (property: Property): MonitoredProperty => {
  const { kind, form } = property
  const isCounted = kind === "eventually" || form.most !== undefined
  return monitoredProperty<number>({
    name: labelOf(property),
    kind: kindOf(property),
    says: says(property),
    judges: { kinds: observedFor[subjectOf(form)] },
    initial: 0,
    next: (matched, moment) => {
      const stated = ResolvedProperty.of(property, moment)
      const item = stated?.itemIn(moment)
      if (stated === undefined || item === undefined || !stated.selects(item)) return matched
      if (!isCounted) return stated.judge(item) ?? matched
      if (stated.differences(item).length > 0) return stated.isMeant(item) && kind === "always" ? witness : matched
      // The count stops where one more match no longer changes the verdict.
      const next = Math.min(matched + 1, Math.max(form.least ?? 1, (form.most ?? 0) + 1))
      if (kind === "eventually") return next
      return next > (form.most ?? 0) ? violation(`${item.words}: ${tooMany(form)}`) : new Witness(next)
    },
    atEnd: (matched, moment) => {
      if (kind === "eventually") return ResolvedProperty.of(property, moment)?.judgeCount(matched)
      // It states that nothing arrives, so it counts as judged also where nothing did.
      return kind === "never" && form.matches === undefined ? witness : undefined
    }
  })
}

/** The kind of observation that has the items of a subject. */
const observedFor: { readonly [subject in Subject]: ReadonlyArray<TimedObservation["kind"]> } = {
  project: ["commit"],
  events: ["commit"],
  answers: ["response", "answer"],
  callbacks: ["received"],
  requests: ["request"],
  tells: ["act"]
}

const tooMany = ({ most }: PropertyForm): string => `more than ${most} that match`

/** A property with its references resolved at one moment. */
class ResolvedProperty {
  readonly #property: Property
  readonly #project: string | undefined
  readonly #when: JsonObject
  readonly #matches: JsonObject

  private constructor(property: Property, project: string | undefined, when: JsonObject, matches: JsonObject) {
    this.#property = property
    this.#project = project
    this.#when = when
    this.#matches = matches
  }

  /** Undefined while a reference has no value: then there is nothing to judge. */
  static of(property: Property, { directory: { names } }: Moment): ResolvedProperty | undefined {
    const { project, events, callbacks, when, matches } = property.form
    const named = project ?? events ?? callbacks?.project
    try {
      const id = named === undefined ? undefined : resolveText(named, names)
      return new ResolvedProperty(
        property,
        id,
        withPaths(resolve(when ?? {}, names)),
        withPaths(resolve(matches ?? {}, names))
      )
    } catch (error) {
      if (error instanceof UnresolvedReference) return undefined
      throw error
    }
  }

  /** The items in the rows; undefined where there is no such project. */
  itemsIn({ rows }: Moment): ReadonlyArray<Item> | undefined {
    const id = this.#project ?? ""
    if (this.#property.form.events === undefined) {
      const value = projectIn(rows, id)
      return value && [{ value, words: `the project ${id}` }]
    }
    return eventsIn(rows, id)?.map((value) => ({ value, words: `event ${value["sequence"]}, ${value["kind"]}` }))
  }

  /** The item in the last observation. */
  itemIn(moment: Moment): Item | undefined {
    const { answers, callbacks, requests, tells } = this.#property.form
    if (answers !== undefined) return answerIn(moment, answers)
    if (requests !== undefined) return requestIn(moment, requests)
    if (tells !== undefined) return tellIn(moment, tells)
    return callbacks === undefined ? undefined : callbackIn(moment, callbacks, this.#project)
  }

  selects({ value }: Item): boolean {
    return differencesFrom(this.#when, value).length === 0
  }

  differences({ value }: Item): ReadonlyArray<Difference> {
    return differencesFrom(this.#matches, value)
  }

  /** True where every path has a value: a path that never has one is mistyped, and judges nothing. */
  isMeant({ value }: Item): boolean {
    return Object.keys(this.#matches).every((path) => valueAt(value, path) !== undefined)
  }

  /** Judges one item by itself. */
  judge(item: Item): PropertyViolation | Witness | undefined {
    const differences = this.differences(item)
    if (this.#property.kind !== "never") {
      return differences.length === 0
        ? witness
        : violation(`${item.words}: ${differences.map(differenceText).join("; ")}`)
    }
    if (differences.length === 0) return violation(`${item.words}${this.#inWords}`)
    return this.isMeant(item) ? witness : undefined
  }

  judgeOne([item]: ReadonlyArray<Item>): PropertyViolation | Witness | undefined {
    return item === undefined || !this.selects(item) ? undefined : this.judge(item)
  }

  judgeAll(items: ReadonlyArray<Item>): PropertyViolation | Witness | undefined {
    const { kind, form } = this.#property
    const selected = items.filter((item) => this.selects(item))
    const matched = selected.filter((item) => this.differences(item).length === 0)
    if (kind === "eventually") return this.judgeCount(matched.length)
    if (form.most !== undefined) {
      const over = matched[form.most]
      if (over !== undefined) return violation(`${over.words}: ${tooMany(form)}`)
      return selected.some((item) => this.isMeant(item)) ? witness : undefined
    }
    const judged = selected.map((item) => this.judge(item))
    return judged.find((one) => one instanceof PropertyViolation) ?? judged.find((one) => one !== undefined)
  }

  /** Judges the items together, at the end of a run. */
  judgeCount(matched: number): PropertyViolation | Witness | undefined {
    const { least = this.#property.form.most === undefined ? 1 : 0, most = Number.POSITIVE_INFINITY } =
      this.#property.form
    if (matched < least) return violation(`in the end ${matched} matched, and it takes ${least}`)
    if (matched > most) return violation(`in the end ${tooMany(this.#property.form)}`)
    return matched > 0 ? witness : undefined
  }

  get #inWords(): string {
    const stated = Object.entries(this.#matches).map(([path, value]) => `${path} ${JSON.stringify(value)}`)
    return stated.length === 0 ? "" : `: ${stated.join(", ")}`
  }
}

/** The keys of an expected body are paths, in an expectation and here. */
const withPaths = (stated: Json): JsonObject => {
  if (!isObject(stated)) return {}
  return Object.fromEntries(
    Object.entries(stated).flatMap(([key, value]): ReadonlyArray<readonly [string, Json]> =>
      key === "body" && isObject(value)
        ? Object.entries(value).map(([path, inner]) => [`body.${path}`, inner] as const)
        : [[key, value]]
    )
  )
}
