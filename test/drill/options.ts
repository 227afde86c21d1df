/** The options of every drill. */
import { parseArgs } from "node:util"

export interface DrillOptions {
  readonly seed: number
  /** Milliseconds after which no further round begins. */
  readonly duration: number
}

/** Undefined where they are not of their form. */
export const optionsOf = (words: ReadonlyArray<string>): DrillOptions | undefined => {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { seed: { type: "string", default: "1" }, for: { type: "string", default: "60s" } }
    })
    const seconds = /^(\d+)s$/.exec(values.for)
    return seconds === null || !/^\d+$/.test(values.seed)
      ? undefined
      : { seed: Number(values.seed), duration: Number(seconds[1]) * 1000 }
  } catch {
    return undefined
  }
}
