/** The simulator: steps of a scenario through the whole service in memory, and virtual time against wall time. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as v8 from "node:v8"
import * as vm from "node:vm"
import { Clock, Duration, Effect, Exit, Result } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { type Database, openDatabase, prepareServer } from "../../simulator/storage/databases.ts"
import { VirtualScheduler } from "../../simulator/kernel/scheduler.ts"
import { findScripts } from "../../simulator/scenario/files.ts"
import { readScenario } from "../../simulator/scenario/format/read.ts"
import { allSteps, type Scenario } from "../../simulator/scenario/format/scenario.ts"
import { runScenario } from "../../simulator/scenario/run.ts"
import { type SimulationSetup, setupInMemory } from "../../simulator/scenario/simulation-setup.ts"
import { simulate, simulateOn, type SimulationResult } from "../../simulator/scenario/simulate.ts"
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure, type Section } from "./figure.ts"
import { median, secondsOf } from "./measure.ts"

export const measureSimulator = Effect.fnUntraced(function* (database: ConnectionOptions, extent: Extent) {
  const figures = [
    yield* compareSteps(database, extent),
    catalogue(),
    timeOfCatalogue(),
    memoryOfWorlds(),
    yearOfTimers("a year with a timer every 5 minutes", [Duration.minutes(5)]),
    yearOfTimers("a year with timers every 1, 5 and 15 minutes, hour and day", [
      ...[1, 5, 15].map(Duration.minutes),
      Duration.hours(1),
      Duration.days(1)
    ])
  ]
  return [{ title: "The simulator", figures }] satisfies ReadonlyArray<Section>
})

const file = "scenarios/first-record/first-record/scenario.yaml"

/** The same scenario in memory and on Postgres, each run in a new world. */
const compareSteps = Effect.fnUntraced(function* (database: ConnectionOptions, { seconds, rounds }: Extent) {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8")
  const scenario = Result.getOrThrow(readScenario(file, text))
  const inMemory = runsFor(seconds * rounds, () => assertPassed(simulate(scenario, { file })))
  const onPostgres: Array<number> = []
  const own = yield* openDatabase(yield* prepareServer(database), 1)
  for (let run = 0; run < 1 + 2 * rounds; run++) onPostgres.push(yield* runOnPostgres(own, scenario))
  const steps = scenario.steps.length
  const [memory, postgres] = [steps / median(inMemory), steps / median(onPostgres)]
  return {
    what: `${file}, ${steps} steps, in memory against Postgres`,
    measured: `${readable(memory)} steps/s`,
    against: `${readable(postgres)} steps/s`,
    ratio: memory / postgres
  } satisfies Figure
})

const shippedScenarios = (): ReadonlyArray<Scenario> =>
  Result.getOrThrow(findScripts([path.resolve(import.meta.dirname, "../../scenarios")])).map(({ scenario }) =>
    Result.getOrThrow(scenario)
  )

/** Every shipped scenario once, after a warm-up round. */
const catalogue = (): Figure => {
  const scenarios = shippedScenarios()
  const round = () => scenarios.forEach((scenario) => assertPassed(simulate(scenario, { file })))
  round()
  const seconds = secondsOf(round)
  const steps = scenarios.reduce((sum, scenario) => sum + allSteps(scenario.steps).length, 0)
  return {
    what: `${scenarios.length} shipped scenarios, ${steps} steps, each in a new world`,
    measured: `${readable(scenarios.length / seconds)} scenarios/s`,
    against: `${readable(steps / seconds)} steps/s`,
    ratio: steps / scenarios.length
  }
}

/** Virtual time per second of wall time over the shipped scenarios. */
const timeOfCatalogue = (): Figure => {
  const scenarios = shippedScenarios()
  let virtual = 0
  const wall = secondsOf(() => {
    for (const scenario of scenarios) {
      const { observations } = simulate(scenario, { file })
      virtual += toMilliseconds(observations.at(-1)?.at ?? scenario.start) - toMilliseconds(scenario.start)
    }
  })
  return {
    what: "virtual time of the shipped scenarios against wall time",
    measured: `${readable(virtual / 1000)} s`,
    against: `${readable(wall)} s`,
    ratio: virtual / 1000 / wall
  }
}

/** Memory of concurrent worlds after the first scenario, against the first ten of them. */
const memoryOfWorlds = (): Figure => {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8")
  const scenario = Result.getOrThrow(readScenario(file, text))
  const worlds: Array<SimulationSetup> = []
  const grown = (count: number): number => {
    collect()
    const before = process.memoryUsage().heapUsed
    for (let world = 0; world < count; world++) worlds.push(playThrough(scenario))
    collect()
    return (process.memoryUsage().heapUsed - before) / count
  }
  const first = grown(10)
  const next = grown(50)
  return {
    what: "memory of a world after the first scenario: 50 worlds against the first 10",
    measured: `${readable(next / 1024)} KiB`,
    against: `${readable(first / 1024)} KiB`,
    ratio: next / first
  }
}

const playThrough = (scenario: Scenario): SimulationSetup => {
  const setup = setupInMemory(scenario)
  setup.scheduler.run(setup.logged(Effect.scoped(runScenario(scenario, setup))))
  return setup
}

/** Runs the garbage collector. */
const collect = (): void => {
  v8.setFlagsFromString("--expose-gc")
  vm.runInNewContext("gc")()
}

const runsFor = (seconds: number, work: () => void): ReadonlyArray<number> => {
  const end = performance.now() + seconds * 1000
  const runs: Array<number> = []
  while (performance.now() < end) runs.push(secondsOf(work))
  return runs
}

const runOnPostgres = Effect.fnUntraced(function* ({ storages, empty }: Database, scenario: Scenario) {
  yield* empty
  const began = performance.now()
  assertPassed(yield* Effect.promise(() => simulateOn(storages, scenario, { file })))
  return (performance.now() - began) / 1000
})

const assertPassed = ({ verdict, story }: SimulationResult): void => {
  if (verdict !== "PASSED") throw new Error(story)
}

const year = Duration.days(365)

/** No workers and no service: the cost of the scheduler itself. */
const yearOfTimers = (what: string, intervals: ReadonlyArray<Duration.Duration>): Figure => {
  const scheduler = new VirtualScheduler({ seed: 1, startsAt: 0 })
  let fired = 0
  const beat = (interval: Duration.Duration) =>
    Effect.gen(function* () {
      while ((yield* Clock.currentTimeMillis) < Duration.toMillis(year)) {
        yield* Effect.sleep(interval)
        fired += 1
      }
    })
  const wall = secondsOf(() => {
    const exit = scheduler.run(Effect.forEach(intervals, beat, { concurrency: "unbounded", discard: true }))
    if (Exit.isFailure(exit)) throw new Error("the simulated year did not complete")
  })
  return {
    what,
    measured: `${readable(Duration.toSeconds(year))} s, ${readable(fired)} timers`,
    against: `${readable(wall)} s`,
    ratio: Duration.toSeconds(year) / wall,
    aim: { atLeast: 1_000_000 }
  }
}
