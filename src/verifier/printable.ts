/**
 * Restricts the values that a report repeats from an unverified artifact to digests, ids, instants, numbers and words of
 * the format. Any other value is described by its kind and length, so that a refused file cannot inject text into the
 * report.
 */
import type { JsonPath } from "../canonical/json.ts"
import { codes } from "./codes.ts"

export type PrintableValue = string | number | boolean | null

/** A value of an artifact. */
export const printable = (value: unknown): PrintableValue => {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value
  if (typeof value === "string") {
    return knownWords.has(value) || isHarmless(value) ? value : `(a text of ${value.length} characters)`
  }
  if (value === undefined) return "(absent)"
  return Array.isArray(value) ? `(a list of ${value.length})` : "(an object)"
}

/** An expected value: also a keyword of this verifier, such as `UNIQUE`. */
export const printableExpectation = (value: unknown): PrintableValue =>
  typeof value === "string" && /^[A-Z_,]{1,200}$/.test(value) ? value : printable(value)

/** The words and member names of the format, registered by the schemas that declare them. */
export const knownWords = new Set<string>(["PERSON", ...Object.keys(codes)])

const harmless: ReadonlyArray<RegExp> = [
  /^[0-9a-f]{64}$/,
  /^(?:[a-z]{1,24}_)?[a-f0-9-]{36}$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
]

const isHarmless = (text: string): boolean => harmless.some((form) => form.test(text))

/** A member name in a path; the author of a file chooses its unknown names. */
export const printableName = (name: string): string => (knownWords.has(name) ? name : "(a name)")

export const printablePath = (path: JsonPath): string =>
  path.map((step) => (typeof step === "number" ? `[${step}]` : `.${printableName(step)}`)).join("")
