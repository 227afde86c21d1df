/** Scripts on disk: which files a command line means, and what lies beside each. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { readScenario } from "./script/read.ts"
import type { Scenario } from "./script/scenario.ts"

export interface Script {
  /** As the command line names it. */
  readonly file: string
  readonly scenario: Result.Result<Scenario, string>
}

/** The scripts of files and of folders with all below them, in the order of their names; a failure says what is not there. */
export const findScripts = (places: ReadonlyArray<string>): Result.Result<ReadonlyArray<Script>, string> => {
  const files: Array<string> = []
  for (const place of places) {
    if (!fs.existsSync(place)) return Result.fail(`there is no ${place}`)
    if (!fs.statSync(place).isDirectory()) files.push(place)
    else {
      const found = fs
        .readdirSync(place, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".yaml"))
      if (found.length === 0) return Result.fail(`there is no scenario in ${place}`)
      files.push(...found.toSorted().map((name) => path.join(place, name)))
    }
  }
  return Result.succeed(files.map((file) => ({ file, scenario: readScenario(file, fs.readFileSync(file, "utf8")) })))
}

/** The committed trace and story of a script lie beside it. */
export const goldenFiles = (file: string): { readonly trace: string; readonly story: string } => {
  const stem = file.replace(/\.yaml$/, "")
  return { trace: `${stem}.trace.ndjson`, story: `${stem}.txt` }
}
