/** The child process that runs scenarios, with the program as loaded at its start. */
import { Result } from "effect"
import * as fs from "node:fs"
import { differencesFromGolden } from "../reports/golden.ts"
import { goldenFiles, readScript } from "../scenario/files.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { simulate } from "../scenario/simulate.ts"
import type { ScenarioResult } from "./last-results.ts"

process.on("message", (file: string) => void process.send?.(run(file)))
process.on("disconnect", () => process.exit())

const run = (file: string): ScenarioResult => {
  const started = performance.now()
  const empty = { file, trace: "", goldenDifferences: [], parts: [] }
  const ended = () => Math.round(performance.now() - started)
  try {
    const read = readScript(file)
    if (Result.isFailure(read)) {
      return {
        ...empty,
        verdict: "UNREADABLE",
        failureLines: read.failure.trimEnd().split("\n"),
        milliseconds: ended()
      }
    }
    return { ...outcomeOf(file, read.success), milliseconds: ended() }
  } catch (error) {
    const complaint = [error instanceof Error ? error.message : String(error)]
    return { ...empty, verdict: "UNREADABLE", failureLines: complaint, milliseconds: ended() }
  }
}

const outcomeOf = (file: string, scenario: Scenario): Omit<ScenarioResult, "milliseconds"> => {
  const simulated = simulate(scenario, { file })
  const { verdict, trace, story } = simulated
  const lines = story.trimEnd().split("\n")
  const failure = lines.findIndex((line) => /^ {2}\S+:\d+: /.test(line))
  return {
    file,
    verdict,
    trace,
    failureLines:
      verdict === "PASSED" ? [] : lines.slice(Math.max(failure, 0)).map((line) => line.replace(/^ {2}/, "")),
    goldenDifferences:
      verdict === "PASSED" && fs.existsSync(goldenFiles(file).trace) ? differencesOf(file, simulated) : [],
    parts: [...new Set(scenario.steps.flatMap((step) => step.file ?? []))]
  }
}

const differencesOf = (
  file: string,
  output: { readonly trace: string; readonly story: string }
): ReadonlyArray<string> => differencesFromGolden(file, output).flatMap(({ reason, details }) => [reason, ...details])
