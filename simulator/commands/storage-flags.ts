/** The storage of scenario runs: memory, or a Postgres database that is emptied before each run. */
import { Effect, Option, type Scope } from "effect"
import { Flag } from "effect/cli"
import { databaseServer, openDatabase } from "../storage/databases.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { simulate, simulateOn, type SimulationResult } from "../scenario/simulate.ts"

export const storageFlags = {
  storage: Flag.Literals("storage", ["memory", "postgres"]).pipe(
    Flag.withDescription("The storage of the service; traces are the same on both"),
    Flag.withDefault("memory")
  ),
  databaseUrl: Flag.String("database-url").pipe(
    Flag.withDescription("The Postgres of --storage postgres; default an embedded one"),
    Flag.withMetavar("url"),
    Flag.optional
  )
}

/** Runs one scenario in a new world; `file` names its script in failures. */
export type RunOne = (file: string, scenario: Scenario) => Effect.Effect<SimulationResult, Error>

export const runnerOn = (chosen: {
  readonly storage: "memory" | "postgres"
  readonly databaseUrl: Option.Option<string>
}): Effect.Effect<RunOne, Error, Scope.Scope> =>
  chosen.storage === "memory" ? Effect.succeed(onMemory) : onPostgres(Option.getOrUndefined(chosen.databaseUrl))

const onMemory: RunOne = (file, scenario) => Effect.sync(() => simulate(scenario, { file }))

const onPostgres = Effect.fnUntraced(function* (url: string | undefined) {
  const { storages, empty } = yield* openDatabase(yield* databaseServer(url), 1)
  const runOne: RunOne = (file, scenario) =>
    Effect.andThen(
      empty,
      Effect.promise(() => simulateOn(storages, scenario, { file }))
    )
  return runOne
})
