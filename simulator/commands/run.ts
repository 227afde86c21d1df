/** `simulate run <file or folder>…`: runs scenarios, prints their stories, compares golden files and writes reports. */
import { Console, Duration, Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { findScripts, type Script } from "../scenario/files.ts"
import { readDestinations, streamBeside, writeReport, writeText } from "../reports/destinations.ts"
import { finishRun, unreadableScript } from "../reports/finish-run.ts"
import { replayCommand } from "../reports/replay-command.ts"
import { type ReportedRun, runReports } from "../reports/run-reports.ts"
import { failureLines } from "../reports/totals.ts"
import { escapeForTerminal } from "../reports/escape.ts"
import { exitCodeOf, endWith, noteExitCode, UNUSABLE, writeOrEnd } from "./exit.ts"
import { differencesFromGolden, differsFromGolden, writeGolden } from "../reports/golden.ts"
import { printStoryOn } from "./narration.ts"
import { reportFlag } from "./report-flag.ts"
import { runnerOn, type RunOne, storageFlags } from "./storage-flags.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts, or folders whose scripts are run recursively"),
    Argument.variadic({ min: 1 })
  ),
  ...storageFlags,
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("Use this seed instead of the scenario's own"),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  check: Flag.Boolean("check").pipe(
    Flag.withDescription(
      "Fail if the trace or the story differs from the committed one beside the script, or none exists"
    ),
    Flag.withDefault(false)
  ),
  update: Flag.Boolean("update").pipe(
    Flag.withDescription("Write the committed trace and story of each script that passes; refused if CI is set"),
    Flag.withDefault(false)
  ),
  report: reportFlag(runReports, "stories"),
  trace: Flag.String("trace").pipe(
    Flag.withDescription("Write the traces of all runs to this file; - is standard output"),
    Flag.withMetavar("file"),
    Flag.optional
  ),
  quiet: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withDescription("Print only failures"),
    Flag.withDefault(false)
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

export const run = Command.make(
  "run",
  flags,
  Effect.fn(function* (input) {
    const contradiction = contradictionIn(input)
    if (contradiction !== undefined) return yield* endWith(UNUSABLE, contradiction)
    const destinations = readDestinations(runReports, input.report, Option.getOrUndefined(input.trace))
    if (Result.isFailure(destinations)) return yield* endWith(UNUSABLE, destinations.failure)
    const found = findScripts(input.places)
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)

    const unusable = unusableOf(found.success, input)
    const outputs = [...destinations.success.map(({ file }) => file), Option.getOrUndefined(input.trace)]
    const results = unusable.length > 0 ? unusable : yield* runAll(found.success, streamBeside(outputs), input)
    if (unusable.length === 0) yield* writeTraces(results, input.trace)
    for (const destination of destinations.success) {
      yield* writeOrEnd(destination.file, () => writeReport(runReports, destination, results))
    }
    for (const { problem } of unusable) yield* endWith(UNUSABLE, problem)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Run scenarios and print their stories. Exit codes: 0 if all pass, 1 if one fails (with --check, also if its trace or " +
      "story differs from the committed one), 2 if a script or the command line cannot be used."
  ),
  Command.withShortDescription("Run scenarios and print their stories"),
  Command.withExamples([
    { command: "simulate run scenarios", description: "Every scenario of a folder" },
    {
      command: "simulate run scenarios --check --quiet --report junit=out.xml --report github=-",
      description: "In CI"
    },
    {
      command: "simulate run scenarios/first-record/first-record/scenario.yaml --seed 7",
      description: "The same scenario with another seed"
    },
    { command: "simulate run scenarios --storage postgres", description: "Against an embedded Postgres" },
    { command: "simulate run scenarios --update", description: "Update the committed traces and stories" }
  ])
)

const contradictionIn = ({ check, update, seed }: Input): string | undefined => {
  if (update && process.env["CI"]) return "--update is refused if CI is set"
  if (update && check) return "--check and --update exclude each other; give one of them"
  if ((update || check) && Option.isSome(seed)) {
    return `committed traces use the scenario's own seed; omit --seed with --${update ? "update" : "check"}`
  }
  return undefined
}

/** No script is run if one cannot be read. */
const unusableOf = (
  scripts: ReadonlyArray<Script>,
  input: Input
): ReadonlyArray<ReportedRun & { readonly problem: string }> =>
  scripts.flatMap(({ file, scenario }) => {
    if (Result.isSuccess(scenario)) return []
    const run = unreadableScript(file, scenario.failure, replayOf(file, input))
    return [{ run, seconds: 0, ran: undefined, problem: scenario.failure }]
  })

const runAll = Effect.fnUntraced(function* (scripts: ReadonlyArray<Script>, stream: "stdout" | "stderr", input: Input) {
  const runOne = yield* runnerOn(input)
  const printStory = printStoryOn(stream)
  const all: Array<ReportedRun> = []
  for (const script of scripts) {
    const result = yield* runScript(script, runOne, input)
    all.push(result)
    noteExitCode(exitCodeOf[result.run.verdict])
    if (!input.quiet || result.ran.simulated.verdict !== "PASSED") yield* printStory(result.ran.simulated.story)
    for (const failure of result.ran.laterFailures) yield* printStory(`${indent(failureLines(failure))}\n`)
    for (const { file, line, property, reason } of result.run.unjudged ?? []) {
      yield* Console.error(escapeForTerminal(`${file}:${line}: not checked in this run: ${property}: ${reason}`))
    }
  }
  return all
})

const indent = (lines: ReadonlyArray<string>): string => lines.map((line) => `  ${line}`).join("\n")

const runScript = Effect.fnUntraced(function* ({ file, scenario }: Script, runOne: RunOne, input: Input) {
  const read = Result.getOrThrow(scenario)
  const seeded = { ...read, seed: Option.getOrElse(input.seed, () => read.seed) }
  const [duration, simulated] = yield* Effect.timed(runOne(file, seeded))
  // A failed run is printed anyway, and must not become a golden file.
  const hasPassed = simulated.verdict === "PASSED"
  if (hasPassed && input.update) yield* onDisk(() => writeGolden(file, simulated))
  else if (hasPassed && !input.check && Option.isNone(input.seed)) {
    if (yield* onDisk(() => differsFromGolden(file, simulated))) {
      yield* Console.error(
        escapeForTerminal(
          `${file}: the trace differs from the committed one; --check shows the difference, --update rewrites it`
        )
      )
    }
  }
  const laterFailures = hasPassed && input.check ? yield* onDisk(() => differencesFromGolden(file, simulated)) : []
  const ran = { file, scenario: seeded, simulated, replay: replayOf(file, input), laterFailures }
  return { run: finishRun(ran), seconds: Duration.toSeconds(duration), ran }
})

const replayOf = (file: string, { storage, seed, check }: Input): string =>
  replayCommand(file, { storage, seed: Option.getOrUndefined(seed), check })

const writeTraces = (results: ReadonlyArray<ReportedRun>, file: Option.Option<string>): Effect.Effect<void> =>
  Option.match(file, {
    onNone: () => Effect.void,
    onSome: (file) =>
      writeOrEnd(file, () => writeText(file, results.map(({ ran }) => ran?.simulated.trace ?? "").join("")))
  })

/** A file system error ends the command with its message. */
const onDisk = <A>(work: () => A): Effect.Effect<A, Error> =>
  Effect.try({ try: work, catch: (error) => (error instanceof Error ? error : new Error(String(error))) })
