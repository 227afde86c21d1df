/** Members of an object that are answered as objects where a request names them in `expand[]`. */
import { invalidRequest } from "./refusal.ts"

export interface StripeObject {
  readonly object: string
}

const expandable: Readonly<Record<string, ReadonlyArray<string>>> = {
  "checkout.session": ["payment_intent"],
  payment_intent: ["latest_charge"],
  charge: ["transfer"]
}

/** `find` returns the object of an id, which it knows. */
export const expand = (
  object: StripeObject,
  paths: ReadonlyArray<string>,
  find: (id: string) => StripeObject
): StripeObject => paths.reduce((expanded, path) => expandPath(expanded, path.split("."), path, find), object)

const expandPath = (
  object: StripeObject,
  [name, ...rest]: ReadonlyArray<string>,
  path: string,
  find: (id: string) => StripeObject
): StripeObject => {
  if (name === undefined) return object
  if (!expandable[object.object]?.includes(name)) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: "expand" })
  }
  const value: unknown = (object as unknown as Record<string, unknown>)[name]
  const inner = typeof value === "string" ? find(value) : (value as StripeObject | null | undefined)
  return inner === null || inner === undefined ? object : { ...object, [name]: expandPath(inner, rest, path, find) }
}
