/**
 * The simulator's root and command line: `simulate run <file or folder>…`. It exits with 0 where everything went as
 * expected, 1 where something did not, 2 where a script or the command cannot be used.
 */
import * as fs from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Option, Result, type Scope } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { apiVersion } from "../src/vocabulary/version.ts"
import { databaseServer, freshStorage } from "./databases.ts"
import { findScripts, goldenFiles, type Script } from "./files.ts"
import type { Scenario } from "./script/scenario.ts"
import { simulate, simulateOn, type Simulated } from "./simulate.ts"

const flags = {
  places: Argument.String("file or folder").pipe(Argument.variadic({ min: 1 })),
  storage: Flag.Literals("storage", ["memory", "postgres"]).pipe(
    Flag.withDescription("Where the service keeps its rows"),
    Flag.withDefault("memory")
  ),
  databaseUrl: Flag.String("database-url").pipe(
    Flag.withDescription("The Postgres to use; an embedded one is started where absent"),
    Flag.optional
  ),
  trace: Flag.String("trace").pipe(Flag.withDescription("Write the canonical trace to this file"), Flag.optional),
  seed: Flag.Int("seed").pipe(Flag.withDescription("Use this seed instead of each scenario's own"), Flag.optional),
  update: Flag.Boolean("update").pipe(
    Flag.withDescription("Rewrite the committed trace and story beside each script; refused where CI is set"),
    Flag.withDefault(false)
  )
}

const run = Command.make(
  "run",
  flags,
  Effect.fn(function* ({ places, storage, databaseUrl, trace, seed, update }) {
    if (update && process.env["CI"]) return yield* end(2, "--update is refused where CI is set")
    const found = findScripts(places)
    if (Result.isFailure(found)) return yield* end(2, found.failure)
    const unusable = found.success.flatMap(({ scenario }) => (Result.isFailure(scenario) ? [scenario.failure] : []))
    if (unusable.length > 0) return yield* end(2, unusable.join("\n"))

    const runOne = storage === "memory" ? onMemory : yield* onPostgres(Option.getOrUndefined(databaseUrl))
    const traces: Array<string> = []
    for (const script of found.success) {
      const simulated = yield* runOne(script, withSeed(script, Option.getOrUndefined(seed)))
      yield* Console.log(simulated.story)
      traces.push(simulated.trace)
      if (update) writeGolden(script, simulated)
      setExitCode(exitCodes[simulated.verdict])
    }
    if (Option.isSome(trace)) fs.writeFileSync(trace.value, traces.join(""))
  }, Effect.scoped)
).pipe(Command.withDescription("Run scenarios and tell what happens"))

const simulator = Command.make("simulate").pipe(
  Command.withDescription("The service in a world of its own: virtual time, seeded ids and keys"),
  Command.withSubcommands([run])
)

type RunOne = (script: Script, scenario: Scenario) => Effect.Effect<Simulated, Error>

const onMemory: RunOne = ({ file }, scenario) => Effect.sync(() => simulate(scenario, { file }))

const onPostgres = (url: string | undefined): Effect.Effect<RunOne, Error, Scope.Scope> =>
  Effect.map(databaseServer(url), (server): RunOne => {
    let databases = 0
    return ({ file }, scenario) =>
      Effect.scoped(
        Effect.flatMap(freshStorage(server, String(++databases)), (storage) =>
          Effect.promise(() => simulateOn(storage, scenario, { file }))
        )
      )
  })

const withSeed = ({ scenario }: Script, seed: number | undefined): Scenario => {
  const read = Result.getOrThrow(scenario)
  return seed === undefined ? read : { ...read, seed }
}

const writeGolden = ({ file }: Script, { trace, story }: Simulated): void => {
  const golden = goldenFiles(file)
  fs.writeFileSync(golden.trace, trace)
  fs.writeFileSync(golden.story, story)
}

const exitCodes = { PASSED: 0, FAILED: 1, UNUSABLE: 2 } as const

/** The gravest of several. */
const setExitCode = (code: number): void => {
  process.exitCode = Math.max(code, Number(process.exitCode ?? 0))
}

const end = (code: number, message: string) =>
  Effect.andThen(
    Console.error(message),
    Effect.sync(() => setExitCode(code))
  )

const isUsage = (error: unknown): error is CliError.ShowHelp => CliError.isCliError(error) && error._tag === "ShowHelp"

// A wrong command line has been shown by then, with the help that fits it.
Command.run(simulator, { version: apiVersion }).pipe(
  Effect.catch((error) => {
    if (!isUsage(error)) return end(2, error.message)
    return Effect.sync(() => setExitCode(error.errors.length === 0 ? 0 : 2))
  }),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
