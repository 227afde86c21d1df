/** Serializes values in memory to the bytes of a file, so that both are parsed in one way. */
import { canonicalBytes } from "../canonical/jcs.ts"
import type { Json } from "../canonical/json.ts"
import { fail, pass, type Finding } from "./ledger.ts"
import { verifierLimits } from "./verifier-limits.ts"

// Not imported, as node:fs in main.ts.
const { types } = process.getBuiltinModule("node:util")

/**
 * The bytes of a plain JSON value; a text is taken as the text of a file. Refuses a value that two reads could see
 * differently: a proxy, an accessor, an inherited member, a `toJSON`.
 */
export const serializePlainJson = (value: unknown): Finding<Uint8Array> => {
  try {
    if (typeof value !== "string")
      return pass(canonicalBytes(plainCopy(value, 0, { valuesLeft: verifierLimits.valuesMax })))
    if (value.isWellFormed()) return pass(new TextEncoder().encode(value))
  } catch {
    // The value is not plain, or reading it failed.
  }
  return fail("INPUT_NOT_PLAIN")
}

/** A copy of the bytes, which no other code can change during the verification; a proxy is refused. */
export const copyBytes = (value: unknown): Finding<Uint8Array> => {
  try {
    if (types.isUint8Array(value)) return pass(new Uint8Array(value))
  } catch {
    // The buffer was detached.
  }
  return fail("INPUT_NOT_PLAIN")
}

const depthMax = 64

class NotPlain extends Error {}

/** Counts the values read, so that a value with many references to one other is bounded too. */
const plainCopy = (value: unknown, depth: number, count: { valuesLeft: number }): Json => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number" && Number.isSafeInteger(value) && !Object.is(value, -0)) return value
  if (typeof value !== "object" || types.isProxy(value) || depth > depthMax) throw new NotPlain()
  const prototype: unknown = Object.getPrototypeOf(value)
  const isList = Array.isArray(value)
  if (isList ? prototype !== Array.prototype : prototype !== Object.prototype && prototype !== null)
    throw new NotPlain()
  // Checked before its names are listed: a sparse list can be very long.
  if (isList && value.length > count.valuesLeft) throw new NotPlain()
  const names = Reflect.ownKeys(value)
  count.valuesLeft -= names.length
  if (count.valuesLeft < 0) throw new NotPlain()
  if (isList) {
    if (names.length !== value.length + 1) throw new NotPlain()
    return Array.from({ length: value.length }, (_, index) =>
      plainCopy(ownValue(value, String(index)), depth + 1, count)
    )
  }
  // Without a prototype, `__proto__` is a member like any other.
  const copy: { [member: string]: Json } = Object.create(null)
  for (const name of names) {
    if (typeof name !== "string") throw new NotPlain()
    copy[name] = plainCopy(ownValue(value, name), depth + 1, count)
  }
  return copy
}

const ownValue = (holder: object, name: string): unknown => {
  const descriptor = Object.getOwnPropertyDescriptor(holder, name)
  if (descriptor === undefined || !("value" in descriptor) || descriptor.enumerable !== true) throw new NotPlain()
  return descriptor.value
}
