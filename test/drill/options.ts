/** The options of every drill. */
import * as os from "node:os"
import { parseArgs } from "node:util"

export interface DrillOptions {
  readonly seed: number
  /** Milliseconds after which no further round begins. */
  readonly duration: number
  /**
   * Of growth: the projects whose rows fill a database, from 1,000 on, since smaller tables are rightly read in sequence; and
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
        projects: { type: "string", default: "10000" },
        directory: { type: "string", default: os.tmpdir() }
      }
    })
    const seconds = /^(\d+)s$/.exec(values.for)
    return seconds === null || !/^\d+$/.test(values.seed) || !/^[1-9]\d{3,7}$/.test(values.projects)
      ? undefined
      : {
          seed: Number(values.seed),
          duration: Number(seconds[1]) * 1000,
          projects: Number(values.projects),
          directory: values.directory
        }
  } catch {
    return undefined
  }
}
