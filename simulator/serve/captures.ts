/** Which values of answers are named by later steps, and what they are called from then on. */
import { tokenPrefixes } from "../../src/vocabulary/token.ts"
import type { StepForm } from "../script/format.ts"
import { isObject, type Json } from "../script/json.ts"
import type { Kept, Session } from "../session.ts"

/** Where a value was first seen: in the answer to a step, or in what the world was given. */
type Source = { readonly given: string } | { readonly kept: Kept; readonly path: ReadonlyArray<string> }

export class Captures {
  readonly #sources = new Map<string, Source>()
  readonly #references = new Map<string, string>()
  readonly #added = new Map<Kept, Map<string, string>>()
  readonly #filled = new Map<Kept, StepForm>()
  readonly #taken: Set<string>

  constructor({ journey: { directory }, kept, opening: { given } }: Session) {
    const { organizations, people } = directory
    for (const [name, id] of organizations) this.#sources.set(id, { given: `${name}.id` })
    for (const [name, { id }] of people) this.#sources.set(id, { given: `${name}.id` })
    const parties = Object.values(given).flatMap((named) => (isNamed(named) ? Object.keys(named) : []))
    this.#taken = new Set([...parties, ...directory.agents.keys(), ...kept.flatMap(namesKept)])
  }

  /** Notes what a step names of what came before it, and what its own answer gives to those after it. */
  read(kept: Kept): void {
    const steps = [kept, ...kept.meanwhile, ...kept.outside.flatMap((came) => ("form" in came ? [came] : []))]
    // What happens beside a step knows nothing of its answer, nor of each other's.
    for (const step of steps) {
      const filled = fill(said(step.form), (text) => text.replace(telling, (value) => this.#shown(value)))
      this.#filled.set(step, filled)
    }
    for (const step of steps) this.#offer(step)
  }

  /** With references in the place of values that were known by then. */
  saidBy(kept: Kept): StepForm {
    return this.#filled.get(kept) ?? said(kept.form)
  }

  /** What a step keeps, with what it kept anyway. */
  keepOf(kept: Kept): StepForm["keep"] {
    const { keep } = kept.otherwise === undefined ? kept.form : { keep: undefined }
    const added = this.#added.get(kept)
    if (added === undefined) return keep
    return { ...(typeof keep === "object" ? keep : {}), ...Object.fromEntries(added) }
  }

  #shown(value: string): string {
    const source = this.#sources.get(value)
    if (source === undefined) return value
    const known = this.#references.get(value)
    const reference = known ?? ("given" in source ? source.given : this.#referenceTo(source.kept, source.path))
    this.#references.set(value, reference)
    return `\${${reference}}`
  }

  #referenceTo(kept: Kept, path: ReadonlyArray<string>): string {
    const { keep } = kept.form
    if (typeof keep === "string") return [keep, ...path].join(".")
    const joined = path.join(".")
    const before = Object.entries(keep ?? {}).find(([, kept]) => kept === joined)
    if (before !== undefined) return before[0]
    const name = this.#nameFor(path)
    const added = this.#added.get(kept) ?? new Map<string, string>()
    this.#added.set(kept, added.set(name, joined))
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

  #offer(kept: Kept): void {
    const { answer, otherwise } = kept
    if (answer === undefined || otherwise !== undefined || answer.status >= 300) return
    for (const { value, path } of leavesOf(answer.body ?? null)) {
      if (wholeTelling.test(value) && !this.#sources.has(value)) this.#sources.set(value, { kept, path })
    }
  }
}

/** Ids, digests, secrets and codes: what nobody would write twice by accident. */
const tokens = Object.values(tokenPrefixes).map((prefix) => `${prefix}[0-9A-Za-z]{49}`)
const form = [
  "[a-z]+_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  "[0-9a-f]{64}",
  "[A-Z]{4}-[A-Z]{4}",
  ...tokens
].join("|")
const telling = new RegExp(`(?<![0-9A-Za-z_-])(?:${form})(?![0-9A-Za-z_-])`, "g")
const wholeTelling = new RegExp(`^(?:${form})$`)

/** Those nearest to the outside first. */
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

/** What was said, without what was expected and kept of the answer. */
const said = ({ expect: _expect, keep: _keep, ...form }: StepForm): StepForm => form

const namesKept = ({ form: { keep } }: Kept): ReadonlyArray<string> =>
  keep === undefined ? [] : typeof keep === "string" ? [keep] : Object.keys(keep)

const isNamed = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Only values are replaced, never the names of members. */
const fill = <Value>(value: Value, replace: (text: string) => string): Value => {
  if (typeof value === "string") return replace(value) as Value
  if (Array.isArray(value)) return value.map((item: unknown) => fill(item, replace)) as Value
  if (!isObject(value as Json)) return value
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]: [string, unknown]) => [key, fill(item, replace)])
  ) as Value
}
