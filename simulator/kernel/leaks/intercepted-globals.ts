/** Intercepts functions of the runtime: each returns the original result and reports the uses that are leaks. */
import { syncBuiltinESMExports } from "node:module"
import type { LeakKind, LeakSource } from "./leak-source.ts"
import { leakSources } from "./leak-sources.ts"

/** Called before each reported use; `double` is the newest stack frame that is not part of the caller. */
export type UseListener = (kind: LeakKind, call: string, double: Function) => void

/** Replaces the originals, also for named imports; returns a function that restores them. */
export const interceptGlobals = (listener: UseListener): (() => void) => {
  const intercept = withoutNesting(listener)
  const originals = [...leakSources().map((source) => replace(source, intercept)), replaceEnvironment(intercept)]
  syncBuiltinESMExports()
  return () => {
    for (const restore of originals.reverse()) restore()
    syncBuiltinESMExports()
  }
}

type Intercept = <A>(kind: LeakKind, call: string, double: Function, original: () => A) => A

/** Uses by the runtime itself during an intercepted call are not reported. */
const withoutNesting = (listener: UseListener): Intercept => {
  let isIntercepting = false
  return (kind, call, double, original) => {
    if (isIntercepting) return original()
    isIntercepting = true
    try {
      listener(kind, call, double)
      return original()
    } finally {
      isIntercepting = false
    }
  }
}

const replace = (source: LeakSource, intercept: Intercept): (() => void) => {
  const { owner, key, name } = source
  const descriptor = Object.getOwnPropertyDescriptor(owner, key)
  if (descriptor === undefined) return () => undefined
  const { value, get } = descriptor
  if (typeof value === "function") {
    const double = doubleOf(value, source, intercept)
    Object.defineProperty(owner, key, { ...descriptor, value: double })
    const restoreConstructor = replaceConstructor(value, double)
    return () => {
      Object.defineProperty(owner, key, descriptor)
      restoreConstructor()
    }
  }
  if (get !== undefined) {
    const double = function (this: unknown) {
      return intercept("real time", name, double, () => Reflect.apply(get, this, []))
    }
    Object.defineProperty(owner, key, { ...descriptor, get: double })
  }
  return () => Object.defineProperty(owner, key, descriptor)
}

/** Instances name the intercepted class as their constructor while it is installed. */
const replaceConstructor = (original: Function, double: Function): (() => void) => {
  const { prototype } = original
  if (prototype?.constructor !== original) return () => undefined
  Object.defineProperty(prototype, "constructor", { value: double })
  return () => Object.defineProperty(prototype, "constructor", { value: original })
}

type Callable = (...parameters: ReadonlyArray<unknown>) => unknown

const doubleOf = (original: Callable, { name, kindOf }: LeakSource, intercept: Intercept): Callable => {
  const double: Callable = new Proxy(original, {
    apply: function interceptedCall(_, self, parameters) {
      const call = () => Reflect.apply(original, self, parameters)
      const kind = kindOf({ parameters, constructs: false })
      return kind === undefined ? call() : intercept(kind, `${name}()`, interceptedCall, call)
    },
    construct: function interceptedConstruction(_, parameters, target) {
      const call = () => Reflect.construct(original, parameters, target === double ? original : target)
      const kind = kindOf({ parameters, constructs: true })
      return kind === undefined ? call() : intercept(kind, `new ${name}()`, interceptedConstruction, call)
    }
  })
  return double
}

/** The environment depends on the parent process. */
const replaceEnvironment = (intercept: Intercept): (() => void) => {
  const environment = process.env
  process.env = new Proxy(environment, {
    get: function read(target, name) {
      if (typeof name === "symbol") return Reflect.get(target, name)
      return intercept("environment", `process.env.${name}`, read, () => target[name])
    },
    has: function asked(target, name) {
      return intercept("environment", `process.env.${String(name)}`, asked, () => name in target)
    },
    ownKeys: function listed(target) {
      return intercept("environment", "process.env", listed, () => Reflect.ownKeys(target))
    }
  })
  return () => {
    process.env = environment
  }
}
