/**
 * What a report may repeat from an artifact that has not been proven: digests, ids, instants, numbers and words of the
 * format. Anything else is described by its kind and length, so that a refused file cannot speak through its refusal.
 */

export type Shown = string | number | boolean | null

export const shown = (value: unknown): Shown => {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value
  if (typeof value === "string") return isHarmless(value) ? value : `(a text of ${value.length} characters)`
  if (value === undefined) return "(absent)"
  return Array.isArray(value) ? `(a list of ${value.length})` : "(an object)"
}

const harmless: ReadonlyArray<RegExp> = [
  /^[0-9a-f]{64}$/,
  /^(?:[a-z]{1,24}_)?[a-f0-9-]{36}$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  /^[A-Z][A-Z_]{0,47}$/,
  /^service\.[a-z-]{1,48}\/v\d{1,3}$/
]

const isHarmless = (text: string): boolean => harmless.some((form) => form.test(text))

/** A member name of a path; unknown names are chosen by whoever wrote the file. */
export const shownName = (name: string): string => (/^[A-Za-z][A-Za-z0-9]{0,39}$/.test(name) ? name : "(a name)")
