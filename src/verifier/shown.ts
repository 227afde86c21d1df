/**
 * What a report may repeat from an artifact that has not been proven: digests, ids, instants, numbers and words of the
 * format. Anything else is described by its kind and length, so that a refused file cannot speak through its refusal.
 */
import type { JsonPath } from "../canonical/json.ts"
import { codes } from "./codes.ts"

export type Shown = string | number | boolean | null

/** What an artifact says. */
export const shown = (value: unknown): Shown => {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value
  if (typeof value === "string") {
    return knownWords.has(value) || isHarmless(value) ? value : `(a text of ${value.length} characters)`
  }
  if (value === undefined) return "(absent)"
  return Array.isArray(value) ? `(a list of ${value.length})` : "(an object)"
}

/** What it should have said: also the words by which this verifier asks for something. */
export const shownWish = (value: unknown): Shown =>
  typeof value === "string" && /^[A-Z_,]{1,200}$/.test(value) ? value : shown(value)

/** The words and member names of the format, told by those who declare them. */
export const knownWords = new Set<string>(["PERSON", ...Object.keys(codes)])

const harmless: ReadonlyArray<RegExp> = [
  /^[0-9a-f]{64}$/,
  /^(?:[a-z]{1,24}_)?[a-f0-9-]{36}$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
]

const isHarmless = (text: string): boolean => harmless.some((form) => form.test(text))

/** A member name of a path; unknown names are chosen by whoever wrote the file. */
export const shownName = (name: string): string => (knownWords.has(name) ? name : "(a name)")

export const shownPath = (path: JsonPath): string =>
  path.map((step) => (typeof step === "number" ? `[${step}]` : `.${shownName(step)}`)).join("")
