/** A run of a search and its saved script have the same trace, with every kind of fault. */
import * as path from "node:path"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { executeRun, createMonitors } from "../../../simulator/search/search-run.ts"
import type { Decider } from "../../../simulator/search/choice-point.ts"
import { prepareSearchRoot } from "../../../simulator/search/search-root.ts"
import { failingRunFrom, stepFormsOf, failingRunIn } from "../../../simulator/search/minimize/failing-run.ts"
import { replayRun, strictReplay } from "../../../simulator/search/minimize/trials.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import type { TimedObservation } from "../../../simulator/observation/observation.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { writeScenario } from "../../../simulator/scenario/format/write.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"
import { renderTrace } from "../../../simulator/observation/trace.ts"

const scenarios = path.resolve(import.meta.dirname, "../../../scenarios")

/** Last come, first served; fault option `fault` is chosen at fault point `faultAt`. */
const lastFirst = (faultAt: number, fault: number): Decider => {
  let faultCount = 0
  return ({ kind, options }) => {
    if (kind === "order") return options.length - 1
    return faultCount++ === faultAt ? fault : 0
  }
}

/** Without inject steps and step numbers, since a saved script injects faults by additional steps. */
const traceOf = (
  observations: ReadonlyArray<TimedObservation>,
  redact: (text: string) => string
): ReadonlyArray<string> => {
  const told = observations.filter((one) => {
    if (one.kind === "choice" || one.kind === "scenario" || one.kind === "verdict") return false
    if (one.kind === "step" || one.kind === "act") return one.operation !== "inject" && one.operation !== "setReceiver"
    return !(one.kind === "answer" && one.actor === "operator") && one.kind !== "expectation"
  })
  return renderTrace(told, redact)
    .split("\n")
    .map((line) => line.replace(/"step":\d+,?/, ""))
}

describe("saved script of a run", () => {
  it.each([
    ["a database failure at the first opportunity", "races/pause-and-submission", 0, 1, "faults"],
    ["a crash with skipped opportunities", "races/worker-takeover", 2, 1, "faults"],
    ["a receiver without an answer", "races/receiver-answers", 0, 3, "visits"],
    ["a slow party", "races/deadline-and-grant-expiry", 0, 0, "slowness"]
  ] as const)("The saved script of a run has the trace of the run: %s", (_, name, faultAt, fault, what) => {
    const root = prepareSearchRoot(Result.getOrThrow(readScript(path.join(scenarios, name, "scenario.yaml"))))
    const result = executeRun(root, createMonitors(root, []), lastFirst(faultAt, fault))
    const { schedule } = result
    const seen = {
      faults: schedule.faults.length,
      visits: schedule.visits.size,
      slowness: schedule.choices.filter((choice) => choice === "world:time").length
    }
    assert.isAbove(seen[what], 0, "the run does not contain the effect")

    const found = failingRunFrom(root, schedule)
    const scenario = Result.getOrThrow(readScenario("saved.yaml", writeScenario(found.opening, stepFormsOf(found))))
    const saved = failingRunIn(scenario)
    if (saved === undefined) return assert.fail("no step says explore")
    const again = replayRun(saved, strictReplay(saved), { properties: [], probes: [] })
    assert.isUndefined(again.replay.divergence)
    const [one, other] = [result.setup.recorder, again.result.setup.recorder]
    const trace = traceOf(one.observations, one.redact)
    assert.deepStrictEqual(traceOf(other.observations, other.redact), trace)
    const run = simulate(scenario, { file: "saved.yaml", onResponse: () => true })
    assert.deepStrictEqual(traceOf(run.observations, run.redact), trace)
  })
})
