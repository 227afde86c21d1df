/** The options of every drill. */
import { parseArgs } from "node:util"

export interface DrillOptions {
  readonly seed: number
  /** Milliseconds after which `upgrade` begins no further round. */
  readonly duration: number
  /** Kills of `failover`. */
  readonly kills: number
  /** Whether `failover` cuts a network in the end. */
  readonly cut: boolean
  /** Whether `failover` prints its report as JSON. */
  readonly json: boolean
}

/** Undefined where they are not of their form. */
export const optionsOf = (words: ReadonlyArray<string>): DrillOptions | undefined => {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        seed: { type: "string", default: "1" },
        for: { type: "string", default: "60s" },
        kills: { type: "string", default: "10" },
        cut: { type: "boolean", default: false },
        json: { type: "boolean", default: false }
      }
    })
    const { seed, kills, cut, json } = values
    const seconds = /^(\d+)s$/.exec(values.for)
    return seconds === null || !/^\d+$/.test(seed) || !/^\d{1,3}$/.test(kills)
      ? undefined
      : { seed: Number(seed), duration: Number(seconds[1]) * 1000, kills: Number(kills), cut, json }
  } catch {
    return undefined
  }
}
