/** `simulate diff [file or folder]…`: compares traces between storages and numbers of instances, byte by byte. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Duration, Effect, Option, Result, type Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { databaseServer, type DatabaseServer } from "../storage/databases.ts"
import { compareRuns } from "../determinism/compare-runs.ts"
import { type Configuration, inMemory, onPostgres } from "../determinism/configurations.ts"
import { findScripts } from "../scenario/files.ts"
import { generate } from "../generation/generate.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { endWith, FAILED, print, UNUSABLE, writeOrEnd } from "./exit.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts, or folders whose scripts are run recursively; default scenarios"),
    Argument.variadic({ min: 0 })
  ),
  only: Flag.Literals("only", ["memory", "postgres"]).pipe(
    Flag.withDescription("Compare one and two instances on this storage only"),
    Flag.optional
  ),
  databaseUrl: Flag.String("database-url").pipe(
    Flag.withDescription("The Postgres to run on, as a role that may create databases; default an embedded one"),
    Flag.withMetavar("url"),
    Flag.optional
  ),
  generated: Flag.Int("generated").pipe(
    Flag.withDescription("The number of additional generated scenarios; default 0"),
    Flag.withMetavar("number"),
    Flag.withDefault(0)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed of the first generated scenario; the others follow; default 1"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  out: Flag.String("out").pipe(
    Flag.withDescription("Write generated scenarios that differ to this folder"),
    Flag.withMetavar("folder"),
    Flag.optional
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

export const diff = Command.make(
  "diff",
  flags,
  Effect.fn(function* (input) {
    if (input.generated < 0) return yield* endWith(UNUSABLE, "--generated must be at least 0")
    const places = input.places.length > 0 || input.generated > 0 ? input.places : ["scenarios"]
    const found = findScripts(places)
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)
    const unusable = found.success.flatMap(({ scenario }) => (Result.isFailure(scenario) ? [scenario.failure] : []))
    if (unusable.length > 0) return yield* endWith(UNUSABLE, unusable.join("\n"))

    const server = Option.getOrUndefined(input.only) === "memory" ? undefined : yield* serverOf(input)
    if (server !== undefined && Result.isFailure(server)) return yield* endWith(UNUSABLE, server.failure)
    const configurations = yield* configurationsFor(input, server?.success)
    const shipped = found.success.map(({ file, scenario }) => ({ file, scenario: () => Result.getOrThrow(scenario) }))
    const generated = Array.from({ length: input.generated }, (_, index) => generatedTask(input.seed + index))
    yield* runAll([...shipped, ...generated], configurations, input)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Run each scenario in memory and on Postgres, with one and with two instances of the service, in virtual time, and " +
      "compare the traces byte by byte; those of one and of two instances without choices, since each instance " +
      "authenticates a credential for itself. Exit codes: 0 if nothing differs, 1 if a trace differs or a scenario fails, 2 if " +
      "the command line, a script or the database cannot be used."
  ),
  Command.withShortDescription("Compare storages and numbers of instances, byte by byte"),
  Command.withExamples([
    { command: "simulate diff", description: "Every shipped scenario in four configurations" },
    { command: "simulate diff --generated 1000 --seed 7", description: "A thousand generated scenarios" },
    { command: "simulate diff scenarios --only memory", description: "One instance and two, in memory" }
  ])
)

/** A scenario, created when it is run. */
interface Task {
  readonly file: string
  readonly scenario: () => Scenario
  /** The script of a generated scenario. */
  readonly yaml?: () => string
}

const generatedTask = (seed: number): Task => ({
  file: `generated-${seed}.yaml`,
  scenario: () => generate(seed).scenario,
  yaml: () => generate(seed).yaml
})

const serverOf = ({ databaseUrl }: Input): Effect.Effect<Result.Result<DatabaseServer, string>, never, Scope.Scope> =>
  Effect.match(databaseServer(Option.getOrUndefined(databaseUrl)), {
    onFailure: ({ message }) => Result.fail(`Postgres is not available: ${message}`),
    onSuccess: (server) => Result.succeed(server)
  })

const configurationsFor = Effect.fnUntraced(function* ({ only }: Input, server: DatabaseServer | undefined) {
  const memory = Option.getOrUndefined(only) === "postgres" ? [] : [inMemory(1), inMemory(2)]
  if (server === undefined) return memory
  return [...memory, ...(yield* Effect.forEach([1, 2], (instances) => onPostgres(server, instances)))]
})

/** Sequential: a world in memory blocks this process, and an idle transaction on Postgres would time out. */
const runAll = Effect.fnUntraced(function* (
  tasks: ReadonlyArray<Task>,
  configurations: ReadonlyArray<Configuration>,
  input: Input
) {
  let failures = 0
  const compare = Effect.fnUntraced(function* (task: Task) {
    const divergence = yield* compareRuns(task.file, task.scenario(), configurations)
    if (divergence === undefined) return
    failures += 1
    const lines = [`${task.file}: ${divergence.reason}`, ...divergence.details.map((line) => `  ${line}`)]
    yield* print(lines.join("\n"))
    yield* saveIn(Option.getOrUndefined(input.out), task)
  })
  const [duration] = yield* Effect.timed(Effect.forEach(tasks, compare, { discard: true }))
  const count = `${tasks.length} ${tasks.length === 1 ? "scenario" : "scenarios"}`
  const where = `${configurations.length} configurations (${configurations.map(({ name }) => name).join("; ")})`
  const seconds = Duration.toSeconds(duration).toFixed(1)
  yield* print(
    `${count} in ${where}, ${seconds} s: ${failures === 0 ? "the same bytes" : `${failures} differ or fail`}`
  )
  if (failures > 0) yield* endWith(FAILED, `${failures} of ${count} differ or fail`)
})

const saveIn = (folder: string | undefined, { file, yaml }: Task): Effect.Effect<void> =>
  folder === undefined || yaml === undefined
    ? Effect.void
    : writeOrEnd(folder, () => {
        fs.mkdirSync(folder, { recursive: true })
        fs.writeFileSync(path.join(folder, file), yaml())
      })
