/** Values handed over in memory, turned into the bytes of a file, so that there is one way of reading. */
import { types } from "node:util"
import { canonicalBytes } from "../canonical/jcs.ts"
import type { Json } from "../canonical/json.ts"
import { fail, pass, type Finding } from "./ledger.ts"

/**
 * The bytes of a plain value; a text is taken as the text of a file. What could answer differently the second time it is
 * read (a proxy, an accessor, an inherited member, a `toJSON`) is refused.
 */
export const plainBytes = (value: unknown): Finding<Uint8Array> => {
  try {
    return pass(typeof value === "string" ? new TextEncoder().encode(value) : canonicalBytes(plainCopy(value, 0)))
  } catch {
    return fail("INPUT_NOT_PLAIN")
  }
}

/** The bytes of a file as handed over. */
export const fileBytes = (value: unknown): Finding<Uint8Array> =>
  value instanceof Uint8Array ? pass(value) : fail("INPUT_NOT_PLAIN")

const depthMax = 64

class NotPlain extends Error {}

const plainCopy = (value: unknown, depth: number): Json => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number" && Number.isSafeInteger(value) && !Object.is(value, -0)) return value
  if (typeof value !== "object" || types.isProxy(value) || depth > depthMax) throw new NotPlain()
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype || Reflect.ownKeys(value).length !== value.length + 1) throw new NotPlain()
    return Array.from({ length: value.length }, (_, index) => plainCopy(ownValue(value, String(index)), depth + 1))
  }
  if (prototype !== Object.prototype && prototype !== null) throw new NotPlain()
  const copy: { [member: string]: Json } = {}
  for (const name of Reflect.ownKeys(value)) {
    if (typeof name !== "string") throw new NotPlain()
    const member = plainCopy(ownValue(value, name), depth + 1)
    Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true })
  }
  return copy
}

const ownValue = (holder: object, name: string): unknown => {
  const descriptor = Object.getOwnPropertyDescriptor(holder, name)
  if (descriptor === undefined || !("value" in descriptor) || descriptor.enumerable !== true) throw new NotPlain()
  return descriptor.value
}
