/** A run of a search and its saved script have the same trace, with every kind of fault. */
import * as path from "node:path"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { attempt, watch } from "../../../simulator/explore/attempt.ts"
import type { Decide } from "../../../simulator/explore/point.ts"
import { prepare } from "../../../simulator/explore/prepared.ts"
import { failingFrom, formsOf, failingIn } from "../../../simulator/explore/shrink/failing.ts"
import { rerun, toTheLetter } from "../../../simulator/explore/shrink/trials.ts"
import { readScript } from "../../../simulator/files.ts"
import type { Observed } from "../../../simulator/observation.ts"
import { readScenario } from "../../../simulator/script/read.ts"
import { writeScenario } from "../../../simulator/script/write.ts"
import { simulate } from "../../../simulator/simulate.ts"
import { renderTrace } from "../../../simulator/trace.ts"

const scenarios = path.resolve(import.meta.dirname, "../../../scenarios")

/** Last come, first served; fault option `fault` is chosen at fault point `faultAt`. */
const lastFirst = (faultAt: number, fault: number): Decide => {
  let faultCount = 0
  return ({ kind, options }) => {
    if (kind === "order") return options.length - 1
    return faultCount++ === faultAt ? fault : 0
  }
}

/** Without inject steps and step numbers, since a saved script injects faults by additional steps. */
const traceOf = (observations: ReadonlyArray<Observed>, redact: (text: string) => string): ReadonlyArray<string> => {
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
    ["a database failure at the first opportunity", "120-pause-race", 0, 1, "faults"],
    ["a crash with skipped opportunities", "127-lease-race", 2, 1, "faults"],
    ["a receiver without an answer", "158-what-a-receiver-makes-of-it", 0, 3, "visits"],
    ["a slow party", "129-deadline-tie", 0, 0, "slowness"]
  ] as const)("The saved script of a run has the trace of the run: %s", (_, name, faultAt, fault, what) => {
    const prepared = prepare(Result.getOrThrow(readScript(path.join(scenarios, `${name}.yaml`))))
    const attempted = attempt(prepared, watch(prepared, []), lastFirst(faultAt, fault))
    const { schedule } = attempted
    const seen = {
      faults: schedule.faults.length,
      visits: schedule.visits.size,
      slowness: schedule.choices.filter((choice) => choice === "world:time").length
    }
    assert.isAbove(seen[what], 0, "the run does not contain the effect")

    const found = failingFrom(prepared, schedule)
    const scenario = Result.getOrThrow(readScenario("saved.yaml", writeScenario(found.opening, formsOf(found))))
    const saved = failingIn(scenario)
    if (saved === undefined) return assert.fail("no step says explore")
    const again = rerun(saved, toTheLetter(saved), { invariants: [], probes: [] })
    assert.isUndefined(again.following.divergence)
    const [one, other] = [attempted.stage.recorder, again.attempted.stage.recorder]
    const trace = traceOf(one.observations, one.redact)
    assert.deepStrictEqual(traceOf(other.observations, other.redact), trace)
    const run = simulate(scenario, { file: "saved.yaml", concludes: () => true })
    assert.deepStrictEqual(traceOf(run.observations, run.redact), trace)
  })
})
