/** Runs that other threads execute ahead change no result of a search. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { properties } from "../../../simulator/properties/all-properties.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import type { Decider } from "../../../simulator/search/choice-point.ts"
import { exploreFile, type ExplorationTask } from "../../../simulator/search/findings/explore-file.ts"
import { recordRun, replayRun } from "../../../simulator/search/parallel/recorded-run.ts"
import { nameOfPlan, plannedDecider } from "../../../simulator/search/parallel/run-plans.ts"
import { explorationAsJson, verdictLines } from "../../../simulator/search/report.ts"
import { createMonitors, executeRun } from "../../../simulator/search/search-run.ts"
import { prepareSearchRoot } from "../../../simulator/search/search-root.ts"
import { RunThreads } from "../../../simulator/search/parallel/run-threads.ts"
import { RunsAhead } from "../../../simulator/search/parallel/runs-ahead.ts"
import { probes } from "../../../simulator/search/isolation/probes.ts"
import { search, type SearchResult } from "../../../simulator/search/search.ts"
import { propertiesOf } from "../../../simulator/search/searched-script.ts"
import { portfolio, strategyNames, strategyOf } from "../../../simulator/search/strategies/portfolio.ts"
import { VisitedStates } from "../../../simulator/search/strategies/visited-states.ts"
import { race } from "./race-script.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-threads-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The report for programs and the lines of the verdict. */
const reportOf = (threads: number, task: Partial<ExplorationTask> & { readonly file: string }) => {
  const save = join(folder, "found")
  const explored = exploreFile(
    {
      exhaustive: false,
      strategies: [],
      runsMax: 24,
      seed: 1,
      hasFaults: true,
      milliseconds: undefined,
      save,
      ...task,
      threads
    },
    () => {}
  )
  rmSync(save, { recursive: true, force: true })
  if ("unusable" in explored) return explored
  return { ...JSON.parse(explorationAsJson([explored.explored]))[0], lines: verdictLines(explored.explored) }
}

const searched = (file: string, threads?: RunThreads): SearchResult => {
  const scenario = Result.getOrThrow(readScript(file))
  return search(prepareSearchRoot(scenario), {
    properties: propertiesOf(scenario, properties),
    probes,
    strategies: portfolio(1, 24),
    runsOf: threads && ((running) => new RunsAhead(running, threads))
  })
}

const shipped = (name: string) => `scenarios/races/${name}/scenario.yaml`

describe("a search on several threads", () => {
  it("All strategies find the same with a second thread that executes runs ahead", () => {
    const file = shipped("two-renewals")
    const threads = new RunThreads({ file, hasFaults: true }, 1)
    try {
      while (!threads.all.every(({ isReady }) => isReady)) {
        threads.wait(threads.count, 100)
        for (const _ of threads.receive());
      }
      const one = searched(file)
      assert.deepEqual(searched(file, threads), one)
      // Beside the answer that it is ready.
      assert.isAbove(threads.count, 1)
    } finally {
      threads.close()
    }
  })

  it("A violation is found, minimized and saved on two threads as on one", () => {
    const never = "never:\n  - { name: scout is refused, answers: { as: scout }, matches: { status: 401 } }\nsteps:"
    const file = join(folder, "violated.yaml")
    writeFileSync(file, race.replace("steps:", never))
    const report = reportOf(2, { file })
    assert.deepEqual(report, reportOf(1, { file }))
    assert.include(report, { verdict: "VIOLATED" })
  })
})

describe("a run that was executed ahead", () => {
  const root = prepareSearchRoot(Result.getOrThrow(readScript(shipped("two-renewals"))))
  const monitors = createMonitors(root, properties)
  const first: Decider = () => 0

  it.each(strategyNames)("The next run is planned as the strategy %s decides it", (name) => {
    const strategy = strategyOf(name, 3)
    for (let run = 0; run < 8; run++) {
      const [plan] = strategy.upcoming(1)
      assert(plan !== undefined)
      const planned: Array<number | "CUT"> = []
      executeRun(root, monitors, plannedDecider(plan, new VisitedStates()), (_, chosen) => planned.push(chosen))
      const decided: Array<number | "CUT"> = []
      const result = executeRun(root, monitors, strategy.next()!, (_, chosen) => decided.push(chosen))
      strategy.onRunFinished(result)
      // A visited state cuts a run that was planned without it.
      const same = decided.at(-1) === "CUT" ? decided.slice(0, -1) : decided
      assert.deepEqual(planned.slice(0, same.length), same, nameOfPlan(plan))
    }
  })

  it("It has the result of the run in its turn, also where the strategy cuts it", () => {
    const recorded = recordRun(root, monitors, first, () => true)
    const cutAtThird = (): Decider => {
      let position = 0
      return () => ((position += 1) === 3 ? "CUT" : 0)
    }
    const { result } = replayRun(recorded, cutAtThird())
    const { setup: _setup, context: _context, ...inTurn } = executeRun(root, monitors, cutAtThird())
    assert.deepEqual(
      { ...result, schedule: undefined, outcome: result?.outcome.answers },
      { ...inTurn, schedule: undefined, outcome: inTurn.outcome.answers }
    )
    assert.deepEqual(replayRun(recorded, first).result, recorded.result)
  })

  it("It is not used where the strategy decides otherwise", () => {
    const recorded = recordRun(root, monitors, first, () => true)
    const { made, result } = replayRun(recorded, ({ options }) => options.length - 1)
    assert.isUndefined(result)
    assert.lengthOf(made, 1)
  })
})
