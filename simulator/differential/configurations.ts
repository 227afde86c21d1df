/** Ways in which the same service can run: on which store, and with how many instances. A trace must not show which. */
import { Effect, type Scope } from "effect"
import { type DatabaseServer, openDatabase } from "../databases.ts"
import type { Scenario } from "../script/scenario.ts"
import { simulate, simulateOn, type Simulated } from "../simulate.ts"
import { statementsAround } from "./statements.ts"

export interface Configuration {
  readonly name: string
  /** Runs a scenario in a fresh world; one at a time. */
  readonly run: (file: string, scenario: Scenario) => Effect.Effect<Simulated, Error>
  /** What the store was asked around a line of the trace, from 0; absent where it is asked nothing that can be shown. */
  readonly explain?: (file: string, scenario: Scenario, line: number) => Effect.Effect<ReadonlyArray<string>, Error>
}

export const inMemory = (instances: number): Configuration => ({
  name: nameOf("memory", instances),
  run: (file, scenario) => Effect.sync(() => simulate(scenario, { file, instances }))
})

export const onPostgres = Effect.fnUntraced(function* (
  server: DatabaseServer,
  instances: number
): Effect.fn.Return<Configuration, Error, Scope.Scope> {
  const { storages, empty } = yield* openDatabase(server, instances)
  return {
    name: nameOf("Postgres", instances),
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
