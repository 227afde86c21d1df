/** `simulate coverage [file or folder]…`: the parts of the service that scenarios cover, and the missing ones. */
import * as fs from "node:fs"
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { committedLines } from "../coverage/committed-traces.ts"
import { readExceptions, type Exception } from "../coverage/exceptions.ts"
import type { CoveragePoint } from "../coverage/point.ts"
import { allPoints } from "../coverage/points.ts"
import { renderCoverage } from "../coverage/render.ts"
import { percentOf, surveyCoverage, type TracedRun } from "../coverage/coverage-survey.ts"
import { findScripts, readText, type Script } from "../scenario/files.ts"
import { simulate } from "../scenario/simulate.ts"
import { readTrace } from "../observation/trace.ts"
import { endWith, FAILED, noteExitCode, print, UNUSABLE } from "./exit.ts"

const defaultExceptions = "scenarios/coverage-exceptions.yml"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts, or folders whose scripts are included recursively; default scenarios"),
    Argument.variadic()
  ),
  traces: Flag.Boolean("traces").pipe(
    Flag.withDescription("Read the committed traces beside the scripts instead of running them"),
    Flag.withDefault(false)
  ),
  except: Flag.String("except").pipe(
    Flag.withDescription(
      `The file of points that cannot be covered, each with its reason; default ${defaultExceptions}`
    ),
    Flag.withMetavar("file"),
    Flag.optional
  ),
  min: Flag.Int("min").pipe(
    Flag.withDescription("The required percentage of the points that can be covered; default 100"),
    Flag.withMetavar("percent"),
    Flag.withDefault(100)
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
}

export const coverage = Command.make(
  "coverage",
  flags,
  Effect.fn(function* ({ places, traces, except, min, json }) {
    const all = allPoints()
    const excepted = exceptionsFrom(Option.getOrUndefined(except), all)
    if (Result.isFailure(excepted)) return yield* endWith(UNUSABLE, excepted.failure)
    const runs = runsOf(places.length === 0 ? ["scenarios"] : places, traces ? committedLines : run)
    if (Result.isFailure(runs)) return yield* endWith(UNUSABLE, runs.failure)

    const surveyed = surveyCoverage(all, runs.success, excepted.success)
    yield* print(json ? JSON.stringify(surveyed, null, 2) : renderCoverage(surveyed))
    const lacks = min === 100 ? surveyed.missing.length > 0 : percentOf(surveyed) < min
    if (lacks || surveyed.needless.length > 0) noteExitCode(FAILED)
  })
).pipe(
  Command.withDescription(
    "Report which parts of the service scenarios cover, and which are missing. Exit codes: 0 if nothing is missing, 1 if " +
      "something is, 2 if a script or a committed trace cannot be read or its run did not pass."
  ),
  Command.withExamples([
    { command: "simulate coverage", description: "Every shipped scenario, run in memory" },
    { command: "simulate coverage --traces", description: "The same from the committed traces, without running" }
  ])
)

const exceptionsFrom = (
  file: string | undefined,
  all: ReadonlyArray<CoveragePoint>
): Result.Result<ReadonlyArray<Exception>, string> => {
  const chosen = file ?? defaultExceptions
  if (fs.existsSync(chosen)) {
    return Result.flatMap(readText(chosen), (text) =>
      Result.mapError(readExceptions(text, all), (reason) => `${chosen}: ${reason}`)
    )
  }
  return file === undefined ? Result.succeed([]) : Result.fail(`file not found: ${file}`)
}

const runsOf = (
  places: ReadonlyArray<string>,
  linesOf: (script: Script) => Result.Result<TracedRun["lines"], string>
): Result.Result<ReadonlyArray<TracedRun>, string> =>
  Result.flatMap(findScripts(places), (scripts) =>
    Result.all(
      scripts.map((script) => Result.map(linesOf(script), (lines): TracedRun => ({ name: script.file, lines })))
    )
  )

/** A run that did not pass covers nothing. */
const run = ({ file, scenario }: Script): Result.Result<TracedRun["lines"], string> =>
  Result.flatMap(scenario, (scenario) => {
    const { verdict, trace, story } = simulate(scenario, { file })
    return verdict === "PASSED" ? Result.succeed(readTrace(trace)) : Result.fail(story)
  })
