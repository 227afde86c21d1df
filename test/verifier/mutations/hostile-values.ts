/** Values that only a calling program can pass: none is plain JSON, and some change between two reads. */
import type { Choices } from "./choices.ts"
import { canary } from "./base-sample.ts"

class Record {
  readonly schema = "service.result-review/v1"
}

const cycle = (): unknown => {
  const holder: { [name: string]: unknown } = { canary }
  holder["itself"] = holder
  return holder
}

const throwing = (): never => {
  throw new Error(canary)
}

const everyTrapThrows = new Proxy({}, { get: () => throwing })

let readings = 0

/** Each call makes a new value, so that no earlier use has changed it. */
export const hostileValues: Readonly<{ [name: string]: (around: unknown, choices: Choices) => unknown }> = {
  getter: (around) => Object.defineProperty({}, "record", { get: () => around, enumerable: true }),
  "throwing getter": () => Object.defineProperty({}, "record", { get: throwing, enumerable: true }),
  "getter that changes": (around) =>
    Object.defineProperty({}, "record", { get: () => (readings++ % 2 === 0 ? around : canary), enumerable: true }),
  proxy: (around) => new Proxy(typeof around === "object" && around !== null ? around : {}, {}),
  "throwing proxy": () => new Proxy({}, everyTrapThrows),
  "revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  "proxy of a list": () => new Proxy([canary], {}),
  cycle,
  "cycle in a list": () => {
    const list: Array<unknown> = [canary]
    list.push(list)
    return list
  },
  "symbol member": () => ({ [Symbol("record")]: canary }),
  symbol: () => Symbol(canary),
  "class instance": () => new Record(),
  "inherited members": (around) => Object.create({ record: around }),
  "without a prototype": (around) =>
    Object.assign(Object.create(null), typeof around === "object" ? around : { value: around }),
  toJSON: (around) => ({ toJSON: () => around }),
  date: () => new Date(0),
  map: () => new Map([["record", canary]]),
  set: () => new Set([canary]),
  bytes: () => new Uint8Array([123, 125]),
  buffer: () => Buffer.from(canary),
  "boxed text": () => Object(canary) as unknown,
  bigint: () => 1n,
  function: () => () => canary,
  undefined: () => undefined,
  NaN: () => Number.NaN,
  "minus zero": () => -0,
  infinity: () => Number.POSITIVE_INFINITY,
  fraction: () => 1.5,
  "half a pair": () => "\ud800",
  "huge list": (_, choices) => Array.from({ length: choices.oneOf([1_000, 20_000]) }, () => canary),
  "longest sparse list": () => Object.assign([], { length: 2 ** 32 - 1 }),
  "sparse list": () => Object.assign([], { 3: canary, length: 9 }),
  "list with a member": () => Object.assign([canary], { record: canary }),
  "hidden member": () => Object.defineProperty({}, "record", { value: canary, enumerable: false }),
  "own __proto__": () => JSON.parse(`{"__proto__":{"record":"${canary}"}}`) as unknown,
  "frozen value": (around) => Object.freeze(typeof around === "object" && around !== null ? { ...around } : {}),
  "deep nesting": () => {
    let value: unknown = canary
    for (let depth = 0; depth < 50_000; depth++) value = [value]
    return value
  },
  "typed list": () => new Float64Array(8),
  error: () => new Error(canary),
  promise: () => Promise.resolve(canary),
  "regular expression": () => /a canary sings/
}

/** Byte arrays that no file read returns. */
export const abnormalBytes = (bytes: Uint8Array, choices: Choices): Uint8Array =>
  choices.oneOf([
    () => Object.defineProperty(Uint8Array.from(bytes), "length", { get: throwing }),
    () => Object.defineProperty(Uint8Array.from(bytes), "length", { value: 1 }),
    () => Object.defineProperty(Uint8Array.from(bytes), Symbol.iterator, { get: throwing }),
    () => Object.setPrototypeOf(Uint8Array.from(bytes), null) as Uint8Array,
    () => {
      const detached = Uint8Array.from(bytes)
      structuredClone(detached, { transfer: [detached.buffer] })
      return detached
    },
    () => {
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
      shared.set(bytes)
      return shared
    }
  ])()

/** Replaces one value inside another one, or the other one itself. */
export const plant = (target: unknown, make: (around: unknown) => unknown, choices: Choices): unknown => {
  if (target === null || typeof target !== "object" || choices.below(3) === 0) return make(target)
  const copy = Object.assign(Array.isArray(target) ? [] : {}, target) as { [name: string]: unknown }
  const name = choices.oneOf([...Object.keys(target), "unknown"])
  copy[name] = plant(copy[name], make, choices)
  return copy
}
