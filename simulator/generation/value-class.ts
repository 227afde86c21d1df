/** Equivalence classes of values that a service may treat differently. */
import { isObject, type Json } from "../vocabulary/json.ts"

export const classOf = (value: Json): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return value.length === 0 ? "no items" : value.length === 1 ? "one item" : "items"
  if (isObject(value)) return Object.keys(value).length === 0 ? "no members" : "members"
  if (typeof value === "string") return classOfText(value)
  if (typeof value === "number") return value < 0 ? "below 0" : value === 0 ? "0" : "above 0"
  return String(value)
}

const classOfText = (text: string): string => {
  if (text === "") return "empty"
  if (text.length > 1000) return "long"
  return forms.find(([, form]) => form.test(text))?.[0] ?? "text"
}

const forms: ReadonlyArray<readonly [name: string, form: RegExp]> = [
  ["moment", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ["digest", /^[0-9a-f]{64}$/],
  ["uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-/],
  ["id", /^[a-z]+_[0-9a-f]{8}/],
  ["word", /^[A-Z][A-Z_]+$/]
]
