/** A worker thread that executes planned runs of one script for the thread that searches it. */
import { workerData } from "node:worker_threads"
import { readScript } from "../../scenario/files.ts"
import { properties } from "../../properties/all-properties.ts"
import { probes } from "../isolation/probes.ts"
import { createMonitors } from "../search-run.ts"
import { propertiesOf, searchRootOf } from "../searched-script.ts"
import { VisitedStates } from "../strategies/visited-states.ts"
import { Result } from "effect"
import { recordRun } from "./recorded-run.ts"
import { plannedDecider } from "./run-plans.ts"
import type { RunAnswer, RunTask, ThreadSetup } from "./run-threads.ts"

const { file, hasFaults, port, signal }: ThreadSetup = workerData

const visited = new VisitedStates()
const outcomes = new Set<string>()

const send = (answer: RunAnswer): void => {
  port.postMessage(answer)
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}

const scenario = Result.getOrThrow(readScript(file))
const root = searchRootOf(scenario, hasFaults)
const monitors = createMonitors(root, propertiesOf(scenario, properties))

port.on("message", ({ name, plan, visits, newOutcomes }: RunTask) => {
  for (const visit of visits) visited.note(visit)
  for (const outcome of newOutcomes) outcomes.add(outcome)
  try {
    const run = recordRun(root, monitors, plannedDecider(plan, visited), (result) => {
      const outcome = JSON.stringify(result.outcome)
      if (result.ended !== "DONE" || result.violation !== undefined || outcomes.has(outcome)) return undefined
      outcomes.add(outcome)
      return probes.every(({ findViolation }) => findViolation(root, result) === undefined)
    })
    send({ name, run })
  } catch {
    // The searching thread executes the run itself, and reports the error.
    send({ name, run: undefined })
  }
})
send({ name: undefined, run: undefined })
