/**
 * The program of a subprocess: it runs every scenario of its arguments in memory and writes one line of JSON for each.
 * `verify` starts it with the settings of several machines and compares the output.
 */
import * as process from "node:process"
import { Result } from "effect"
import { findScripts } from "../scenario/files.ts"
import { simulate } from "../scenario/simulate.ts"
import type { SubprocessRun } from "./subprocess.ts"

for (const { file, scenario } of Result.getOrThrow(findScripts(process.argv.slice(2)))) {
  const { verdict, trace, story } = simulate(Result.getOrThrow(scenario), { file })
  const run: SubprocessRun = { file, verdict, trace, story }
  process.stdout.write(`${JSON.stringify(run)}\n`)
}
