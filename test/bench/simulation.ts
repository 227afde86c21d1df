/** The simulator: steps of a scenario through the whole service in memory, and a year of timers against wall time. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Clock, Duration, Effect, Exit, Result } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { freshStorage } from "../../simulator/databases.ts"
import { Kernel } from "../../simulator/kernel/kernel.ts"
import { readScenario } from "../../simulator/script/read.ts"
import type { Scenario } from "../../simulator/script/scenario.ts"
import { simulate, simulateOn, type Simulated } from "../../simulator/simulate.ts"
import type { Extent } from "./extent.ts"
import { readable, renderFigures, type Figure } from "./figure.ts"
import { median, secondsOf } from "./measure.ts"

export const measureSimulator = Effect.fnUntraced(function* (database: ConnectionOptions, extent: Extent) {
  return renderFigures("The simulator", [
    yield* compareSteps(database, extent),
    yearOfTimers("a year with a timer every 5 minutes", [Duration.minutes(5)]),
    yearOfTimers("a year with timers every 1, 5 and 15 minutes, hour and day", [
      ...[1, 5, 15].map(Duration.minutes),
      Duration.hours(1),
      Duration.days(1)
    ])
  ])
})

const file = "scenarios/01-first-record.yaml"

/** The same scenario in memory and on Postgres, each run in a fresh world. */
const compareSteps = Effect.fnUntraced(function* (database: ConnectionOptions, { seconds, rounds }: Extent) {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8")
  const scenario = Result.getOrThrow(readScenario(file, text))
  const inMemory = runsFor(seconds * rounds, () => passed(simulate(scenario, { file })))
  const onPostgres: Array<number> = []
  for (let run = 0; run < 1 + 2 * rounds; run++) onPostgres.push(yield* runOnPostgres(database, scenario, run))
  const steps = scenario.steps.length
  const [memory, postgres] = [steps / median(inMemory), steps / median(onPostgres)]
  return {
    what: `${file}, ${steps} steps, in memory against Postgres`,
    measured: `${readable(memory)} steps/s`,
    against: `${readable(postgres)} steps/s`,
    ratio: memory / postgres
  } satisfies Figure
})

const runsFor = (seconds: number, work: () => void): ReadonlyArray<number> => {
  const end = performance.now() + seconds * 1000
  const runs: Array<number> = []
  while (performance.now() < end) runs.push(secondsOf(work))
  return runs
}

const runOnPostgres = (database: ConnectionOptions, scenario: Scenario, run: number) =>
  Effect.gen(function* () {
    const storage = yield* freshStorage(database, `bench_${run}`)
    const began = performance.now()
    passed(yield* Effect.promise(() => simulateOn(storage, scenario, { file })))
    return (performance.now() - began) / 1000
  }).pipe(Effect.scoped)

const passed = ({ verdict, story }: Simulated): void => {
  if (verdict !== "PASSED") throw new Error(story)
}

const year = Duration.days(365)

/** No workers and no service: what the driver itself needs to pass the time from timer to timer. */
const yearOfTimers = (what: string, intervals: ReadonlyArray<Duration.Duration>): Figure => {
  const kernel = new Kernel({ seed: 1, startsAt: 0 })
  let fired = 0
  const beat = (interval: Duration.Duration) =>
    Effect.gen(function* () {
      while ((yield* Clock.currentTimeMillis) < Duration.toMillis(year)) {
        yield* Effect.sleep(interval)
        fired += 1
      }
    })
  const wall = secondsOf(() => {
    const exit = kernel.run(Effect.forEach(intervals, beat, { concurrency: "unbounded", discard: true }))
    if (Exit.isFailure(exit)) throw new Error("the year did not end")
  })
  return {
    what,
    measured: `${readable(Duration.toSeconds(year))} s, ${readable(fired)} timers`,
    against: `${readable(wall)} s`,
    ratio: Duration.toSeconds(year) / wall,
    aim: { atLeast: 1_000_000 }
  }
}
