/** The configurations of the service: its store and its number of instances. Traces do not depend on the store. */
import { Effect, type Scope } from "effect"
import { type DatabaseServer, openDatabase } from "../storage/databases.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { simulate, simulateOn, type SimulationResult } from "../scenario/simulate.ts"
import { statementsAround } from "./statement-log.ts"

export interface Configuration {
  readonly name: string
  /** The number of instances of the service. */
  readonly instances: number
  /** Runs a scenario in a new world; not concurrently. */
  readonly run: (file: string, scenario: Scenario) => Effect.Effect<SimulationResult, Error>
  /** The statements around a line of the trace, from 0; absent for a store without statements. */
  readonly explain?: (file: string, scenario: Scenario, line: number) => Effect.Effect<ReadonlyArray<string>, Error>
}

export const inMemory = (instances: number): Configuration => ({
  name: nameOf("memory", instances),
  instances,
  run: (file, scenario) => Effect.sync(() => simulate(scenario, { file, instances }))
})

export const onPostgres = Effect.fnUntraced(function* (
  server: DatabaseServer,
  instances: number
): Effect.fn.Return<Configuration, Error, Scope.Scope> {
  const { storages, empty } = yield* openDatabase(server, instances)
  return {
    name: nameOf("Postgres", instances),
    instances,
    run: (file, scenario) =>
      Effect.andThen(
        empty,
        Effect.promise(() => simulateOn(storages, scenario, { file }))
      ),
    explain: (file, scenario, line) => statementsAround(server, { instances, file, scenario, line })
  }
})

const nameOf = (store: string, instances: number): string =>
  `${store}, ${instances} ${instances === 1 ? "instance" : "instances"}`
