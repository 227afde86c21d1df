/** Replays the saved run of one script strictly and judges every property. */
import { Result } from "effect"
import type { Violation } from "../../properties/monitors.ts"
import { renderSteps } from "../../scenario/story.ts"
import type { Scenario } from "../../scenario/format/scenario.ts"
import { Unsearchable } from "../search-root.ts"
import { failingRunIn } from "../minimize/failing-run.ts"
import type { Divergence, RecordedChoice } from "../minimize/replay.ts"
import { type PropertySet, replayRun, strictReplay, withScriptProperties } from "../minimize/trials.ts"
import { explainViolation } from "./explanation.ts"

export type ReplayResult = {
  readonly file: string
  readonly made: ReadonlyArray<RecordedChoice>
  /** The steps and their results. */
  readonly story: string
} & (
  | { readonly ended: "FIXED" }
  | {
      readonly ended: "REPRODUCES"
      readonly violation: Violation
      readonly says: string
      readonly why: ReadonlyArray<string>
    }
  /** `untouched` names the actor or receiver of an injected fault that never occurred. */
  | { readonly ended: "DIVERGED"; readonly at: Divergence | { readonly untouched: string } }
)

export const replayScript = (
  file: string,
  scenario: Scenario,
  checks: PropertySet
): Result.Result<ReplayResult, string> => {
  const failing = failingRunIn(scenario)
  if (failing === undefined) return Result.fail(`${file}: no step says explore, so that there is no schedule to replay`)
  return Result.try({
    try: () => replayed(file, scenario, failing, checks),
    catch: (error) => {
      if (error instanceof Unsearchable) return `${file}: ${error.reason}`
      throw error
    }
  })
}

const replayed = (
  file: string,
  scenario: Scenario,
  failing: NonNullable<ReturnType<typeof failingRunIn>>,
  builtIn: PropertySet
): ReplayResult => {
  const checks = withScriptProperties(failing, builtIn)
  const { result, violation, replay } = replayRun(failing, strictReplay(failing), checks)
  const { recorder } = result.setup
  const report = {
    file,
    made: replay.made,
    story: recorder.redact([scenario.title, "", ...renderSteps(file, scenario, recorder.observations), ""].join("\n"))
  }
  if (violation !== undefined) {
    const says = [...checks.properties, ...checks.probes].find(({ name }) => name === violation.property)?.says ?? ""
    return { ...report, ended: "REPRODUCES", violation, says, why: explainViolation(recorder.observations, violation) }
  }
  const { divergence } = replay
  if (divergence !== undefined) return { ...report, ended: "DIVERGED", at: divergence }
  const { faults, network } = result.context?.world ?? {}
  const overridden = [...(network?.receivers.values() ?? [])].filter((receiver) => receiver.overridden.length > 0)
  const [untouched] = [...(faults?.withoutOccurrence ?? []), ...overridden.map(({ name }) => name)]
  if (untouched !== undefined) return { ...report, ended: "DIVERGED", at: { untouched } }
  return { ...report, ended: "FIXED" }
}
