/** References `${name}` and `${name.path}` in a script, to kept values and to the ids of declared parties. */
import { type Json, isObject, valueAt } from "../../vocabulary/json.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"

const form = /\$\{([^}]*)\}/g
const content = /^([A-Za-z][A-Za-z0-9-]*)((?:\.[A-Za-z0-9_-]+)*)$/

/** An unknown name, or a path that the value does not have. */
export class UnresolvedReference extends Error {
  override readonly name = "Unresolved"
}

/** The names that a text refers to; undefined for an invalid reference. */
export const namesIn = (text: string): ReadonlyArray<string | undefined> =>
  [...text.matchAll(form)].map(([, inside]) => content.exec(inside ?? "")?.[1])

/** Replaces every reference: by the value itself if the string is exactly one reference, else by its text. */
export const resolve = (value: Json, names: ReadonlyMap<string, Json>): Json => {
  if (typeof value === "string") return replaceIn(value, names)
  if (Array.isArray(value)) return value.map((item: Json) => resolve(item, names))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, names)]))
}

/** Resolves a text that must result in a string. */
export const resolveText = (text: string, names: ReadonlyMap<string, Json>): string => {
  const resolved = resolve(text, names)
  if (typeof resolved === "string") return resolved
  throw new UnresolvedReference(`${text} is not a string`)
}

const replaceIn = (text: string, names: ReadonlyMap<string, Json>): Json => {
  const whole = /^\$\{([^}]*)\}$/.exec(text)?.[1]
  if (whole !== undefined) return lookUp(whole, names)
  return text.replace(form, (_, inside: string) => {
    const value = lookUp(inside, names)
    return typeof value === "string" ? value : JSON.stringify(value)
  })
}

const lookUp = (inside: string, names: ReadonlyMap<string, Json>): Json => {
  const [, name = "", path = ""] = content.exec(inside) ?? []
  const value = names.get(name)
  if (value === undefined) throw new UnresolvedReference(`unknown name ${name}${didYouMean(name, names.keys())}`)
  const found = valueAt(value, path.slice(1))
  if (found === undefined) throw new UnresolvedReference(`${name} has no ${path.slice(1)}`)
  return found
}
