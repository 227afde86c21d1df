/** Finds values of answers that later steps use, and replaces them by references to kept names. */
import { tokenPrefixes } from "../../src/vocabulary/token.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { isObject, type Json } from "../vocabulary/json.ts"
import type { StoredStep, Session } from "../scenario/session.ts"

/** The origin of a value: the answer to a step, or the world's definition. */
type Source = { readonly given: string } | { readonly stored: StoredStep; readonly path: ReadonlyArray<string> }

export class CapturedValues {
  readonly #sources = new Map<string, Source>()
  readonly #references = new Map<string, string>()
  readonly #added = new Map<StoredStep, Map<string, string>>()
  readonly #filled = new Map<StoredStep, StepForm>()
  readonly #taken: Set<string>

  constructor({ context: { directory }, storedSteps, opening: { given } }: Session) {
    const { organizations, people } = directory
    for (const [name, id] of organizations) this.#sources.set(id, { given: `${name}.id` })
    for (const [name, { id }] of people) this.#sources.set(id, { given: `${name}.id` })
    const parties = Object.values(given).flatMap((named) => (isNamed(named) ? Object.keys(named) : []))
    this.#taken = new Set([...parties, ...directory.agents.keys(), ...storedSteps.flatMap(namesKept)])
  }

  /** Replaces earlier values in a step, and registers the values of its answer for later steps. */
  read(stored: StoredStep): void {
    const steps = [stored, ...stored.meanwhile, ...stored.outside.flatMap((event) => ("form" in event ? [event] : []))]
    // Concurrent steps cannot use each other's answers.
    for (const step of steps) {
      const filled = fill(requestOf(step.form), (text) =>
        text.replace(identifying, (value) => this.#referenceFor(value))
      )
      this.#filled.set(step, filled)
    }
    for (const step of steps) this.#offer(step)
  }

  /** The request of a step, with references in place of known values. */
  requestOf(stored: StoredStep): StepForm {
    return this.#filled.get(stored) ?? requestOf(stored.form)
  }

  /** The `keep` of a step: its own, plus the values that later steps use. */
  keepOf(stored: StoredStep): StepForm["keep"] {
    const { keep } = stored.accepted === undefined ? stored.form : { keep: undefined }
    const added = this.#added.get(stored)
    if (added === undefined) return keep
    return { ...(typeof keep === "object" ? keep : {}), ...Object.fromEntries(added) }
  }

  #referenceFor(value: string): string {
    const source = this.#sources.get(value)
    if (source === undefined) return value
    const known = this.#references.get(value)
    const reference = known ?? ("given" in source ? source.given : this.#referenceTo(source.stored, source.path))
    this.#references.set(value, reference)
    return `\${${reference}}`
  }

  #referenceTo(stored: StoredStep, path: ReadonlyArray<string>): string {
    const { keep } = stored.form
    if (typeof keep === "string") return [keep, ...path].join(".")
    const joined = path.join(".")
    const existing = Object.entries(keep ?? {}).find(([, stored]) => stored === joined)
    if (existing !== undefined) return existing[0]
    const name = this.#nameFor(path)
    const added = this.#added.get(stored) ?? new Map<string, string>()
    this.#added.set(stored, added.set(name, joined))
    return name
  }

  #nameFor(path: ReadonlyArray<string>): string {
    const words = path.filter((part) => !/^\d+$/.test(part))
    const [last = "value", parent] = words.toReversed()
    const alone = last.length > 4 || parent === undefined ? last : `${parent}${last[0]?.toUpperCase()}${last.slice(1)}`
    const base = /^[A-Za-z][A-Za-z0-9-]*$/.test(alone) ? alone : "value"
    let name = base
    for (let count = 2; this.#taken.has(name); count++) name = `${base}-${count}`
    this.#taken.add(name)
    return name
  }

  #offer(stored: StoredStep): void {
    const { answer, accepted } = stored
    if (answer === undefined || accepted !== undefined || answer.status >= 300) return
    for (const { value, path } of leavesOf(answer.body ?? null)) {
      if (wholeIdentifying.test(value) && !this.#sources.has(value)) this.#sources.set(value, { stored, path })
    }
  }
}

/** Ids, digests, secrets and codes: values that are never equal by accident. */
const tokens = Object.values(tokenPrefixes).map((prefix) => `${prefix}[0-9A-Za-z]{49}`)
const form = [
  "[a-z]+_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  "[0-9a-f]{64}",
  "[A-Z]{4}-[A-Z]{4}",
  ...tokens
].join("|")
const identifying = new RegExp(`(?<![0-9A-Za-z_-])(?:${form})(?![0-9A-Za-z_-])`, "g")
const wholeIdentifying = new RegExp(`^(?:${form})$`)

/** In breadth-first order. */
const leavesOf = (value: Json): ReadonlyArray<{ readonly value: string; readonly path: ReadonlyArray<string> }> => {
  const leaves: Array<{ readonly value: string; readonly path: ReadonlyArray<string> }> = []
  const waiting: Array<{ readonly value: Json; readonly path: ReadonlyArray<string> }> = [{ value, path: [] }]
  for (const { value, path } of waiting) {
    if (typeof value === "string") leaves.push({ value, path })
    if (typeof value !== "object" || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (/^[A-Za-z0-9_-]+$/.test(key)) waiting.push({ value: inner, path: [...path, key] })
    }
  }
  return leaves
}

/** The step without `expect` and `keep`. */
const requestOf = ({ expect: _expect, keep: _keep, ...form }: StepForm): StepForm => form

const namesKept = ({ form: { keep } }: StoredStep): ReadonlyArray<string> =>
  keep === undefined ? [] : typeof keep === "string" ? [keep] : Object.keys(keep)

const isNamed = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Replaces values only, never member names. */
const fill = <Value>(value: Value, replace: (text: string) => string): Value => {
  if (typeof value === "string") return replace(value) as Value
  if (Array.isArray(value)) return value.map((item: unknown) => fill(item, replace)) as Value
  if (!isObject(value as Json)) return value
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]: [string, unknown]) => [key, fill(item, replace)])
  ) as Value
}
