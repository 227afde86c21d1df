/** A process that runs each scenario that it is asked for, with the program as it was when the process started. */
import { Result } from "effect"
import * as fs from "node:fs"
import { differencesFromGolden } from "../commands/golden.ts"
import { goldenFiles, readScript } from "../files.ts"
import type { Scenario } from "../script/scenario.ts"
import { simulate } from "../simulate.ts"
import type { Seen } from "./seen.ts"

process.on("message", (file: string) => void process.send?.(run(file)))
process.on("disconnect", () => process.exit())

const run = (file: string): Seen => {
  const started = performance.now()
  const nothing = { file, trace: "", fromCommitted: [], parts: [] }
  const ended = () => Math.round(performance.now() - started)
  try {
    const read = readScript(file)
    if (Result.isFailure(read)) {
      return { ...nothing, verdict: "UNREADABLE", complaint: read.failure.trimEnd().split("\n"), milliseconds: ended() }
    }
    return { ...outcomeOf(file, read.success), milliseconds: ended() }
  } catch (error) {
    const complaint = [error instanceof Error ? error.message : String(error)]
    return { ...nothing, verdict: "UNREADABLE", complaint, milliseconds: ended() }
  }
}

const outcomeOf = (file: string, scenario: Scenario): Omit<Seen, "milliseconds"> => {
  const simulated = simulate(scenario, { file })
  const { verdict, trace, story } = simulated
  const lines = story.trimEnd().split("\n")
  const wrong = lines.findIndex((line) => /^ {2}\S+:\d+: /.test(line))
  return {
    file,
    verdict,
    trace,
    complaint: verdict === "PASSED" ? [] : lines.slice(Math.max(wrong, 0)).map((line) => line.replace(/^ {2}/, "")),
    fromCommitted: verdict === "PASSED" && fs.existsSync(goldenFiles(file).trace) ? committed(file, simulated) : [],
    parts: [...new Set(scenario.steps.flatMap((step) => step.file ?? []))]
  }
}

const committed = (file: string, left: { readonly trace: string; readonly story: string }): ReadonlyArray<string> =>
  differencesFromGolden(file, left).flatMap(({ reason, details }) => [reason, ...details])
