/** Doubles of the runtime's functions: each answers as the original does, and tells of every use that counts. */
import { syncBuiltinESMExports } from "node:module"
import type { LeakKind, Source } from "./source.ts"
import { sources } from "./sources.ts"

/** Is told of a use before it is answered; the double is the newest frame that says nothing about who asked. */
export type Told = (kind: LeakKind, call: string, double: Function) => void

/** Puts them in the place of the originals, for named imports too; the answer takes them away again. */
export const putDoubles = (told: Told): (() => void) => {
  const answer = onceFor(told)
  const originals = [...sources().map((source) => replace(source, answer)), replaceEnvironment(answer)]
  syncBuiltinESMExports()
  return () => {
    for (const putBack of originals.reverse()) putBack()
    syncBuiltinESMExports()
  }
}

type Answer = <A>(kind: LeakKind, call: string, double: Function, original: () => A) => A

/** What the runtime itself asks for while it answers is part of that answer. */
const onceFor = (told: Told): Answer => {
  let answering = false
  return (kind, call, double, original) => {
    if (answering) return original()
    answering = true
    try {
      told(kind, call, double)
      return original()
    } finally {
      answering = false
    }
  }
}

const replace = (source: Source, answer: Answer): (() => void) => {
  const { owner, key, name } = source
  const descriptor = Object.getOwnPropertyDescriptor(owner, key)
  if (descriptor === undefined) return () => undefined
  const { value, get } = descriptor
  if (typeof value === "function") {
    const double = doubleOf(value, source, answer)
    Object.defineProperty(owner, key, { ...descriptor, value: double })
    const renameKind = sayConstructor(value, double)
    return () => {
      Object.defineProperty(owner, key, descriptor)
      renameKind()
    }
  }
  if (get !== undefined) {
    const double = function (this: unknown) {
      return answer("real time", name, double, () => Reflect.apply(get, this, []))
    }
    Object.defineProperty(owner, key, { ...descriptor, get: double })
  }
  return () => Object.defineProperty(owner, key, descriptor)
}

/** What a class has made says of its kind that it is the one under the class's name, whichever of the two that is. */
const sayConstructor = (original: Function, double: Function): (() => void) => {
  const { prototype } = original
  if (prototype?.constructor !== original) return () => undefined
  Object.defineProperty(prototype, "constructor", { value: double })
  return () => Object.defineProperty(prototype, "constructor", { value: original })
}

type Callable = (...parameters: ReadonlyArray<unknown>) => unknown

const doubleOf = (original: Callable, { name, kindOf }: Source, answer: Answer): Callable => {
  const double: Callable = new Proxy(original, {
    apply: function applied(_, self, parameters) {
      const call = () => Reflect.apply(original, self, parameters)
      const kind = kindOf({ parameters, constructs: false })
      return kind === undefined ? call() : answer(kind, `${name}()`, applied, call)
    },
    construct: function constructed(_, parameters, target) {
      const call = () => Reflect.construct(original, parameters, target === double ? original : target)
      const kind = kindOf({ parameters, constructs: true })
      return kind === undefined ? call() : answer(kind, `new ${name}()`, constructed, call)
    }
  })
  return double
}

/** What is in the environment is decided by whoever started the process. */
const replaceEnvironment = (answer: Answer): (() => void) => {
  const environment = process.env
  process.env = new Proxy(environment, {
    get: function read(target, name) {
      if (typeof name === "symbol") return Reflect.get(target, name)
      return answer("environment", `process.env.${name}`, read, () => target[name])
    },
    has: function asked(target, name) {
      return answer("environment", `process.env.${String(name)}`, asked, () => name in target)
    },
    ownKeys: function listed(target) {
      return answer("environment", "process.env", listed, () => Reflect.ownKeys(target))
    }
  })
  return () => {
    process.env = environment
  }
}
