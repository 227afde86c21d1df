/** The options of every drill. */
import * as os from "node:os"
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
  /**
   * Of `growth`: the projects whose rows fill a database, from 1,000 on, since smaller tables are rightly read in sequence; and
   * the directory that holds it.
   */
  readonly projects: number
  readonly directory: string
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
        json: { type: "boolean", default: false },
        projects: { type: "string", default: "10000" },
        directory: { type: "string", default: os.tmpdir() }
      }
    })
    const { seed, kills, cut, json, projects, directory } = values
    const seconds = /^(\d+)s$/.exec(values.for)
    return seconds === null || !/^\d+$/.test(seed) || !/^\d{1,3}$/.test(kills) || !/^[1-9]\d{3,7}$/.test(projects)
      ? undefined
      : {
          seed: Number(seed),
          duration: Number(seconds[1]) * 1000,
          kills: Number(kills),
          cut,
          json,
          projects: Number(projects),
          directory
        }
  } catch {
    return undefined
  }
}
