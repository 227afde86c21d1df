/** Replays the saved run of one script strictly and judges every property. */
import { Result } from "effect"
import type { Violation } from "../../invariants/monitors.ts"
import { renderSteps } from "../../console.ts"
import type { Scenario } from "../../script/scenario.ts"
import { Unsearchable } from "../prepared.ts"
import { failingIn } from "../shrink/failing.ts"
import type { Divergence, Made } from "../shrink/following.ts"
import { type Judged, rerun, toTheLetter, withProperties } from "../shrink/trials.ts"
import { whyOf } from "./why.ts"

export type Replayed = {
  readonly file: string
  readonly made: ReadonlyArray<Made>
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

export const replayScript = (file: string, scenario: Scenario, judged: Judged): Result.Result<Replayed, string> => {
  const failing = failingIn(scenario)
  if (failing === undefined) return Result.fail(`${file}: no step says explore, so that there is no schedule to replay`)
  return Result.try({
    try: () => replayed(file, scenario, failing, judged),
    catch: (error) => {
      if (error instanceof Unsearchable) return `${file}: ${error.reason}`
      throw error
    }
  })
}

const replayed = (
  file: string,
  scenario: Scenario,
  failing: NonNullable<ReturnType<typeof failingIn>>,
  builtIn: Judged
): Replayed => {
  const judged = withProperties(failing, builtIn)
  const { attempted, violation, following } = rerun(failing, toTheLetter(failing), judged)
  const { recorder } = attempted.stage
  const report = {
    file,
    made: following.made,
    story: recorder.redact([scenario.title, "", ...renderSteps(file, scenario, recorder.observations), ""].join("\n"))
  }
  if (violation !== undefined) {
    const says = [...judged.invariants, ...judged.probes].find(({ name }) => name === violation.invariant)?.says ?? ""
    return { ...report, ended: "REPRODUCES", violation, says, why: whyOf(recorder.observations, violation) }
  }
  const { divergence } = following
  if (divergence !== undefined) return { ...report, ended: "DIVERGED", at: divergence }
  const { faults, network } = attempted.journey?.world ?? {}
  const overridden = [...(network?.receivers.values() ?? [])].filter((receiver) => receiver.overridden.length > 0)
  const [untouched] = [...(faults?.untouched ?? []), ...overridden.map(({ name }) => name)]
  if (untouched !== undefined) return { ...report, ended: "DIVERGED", at: { untouched } }
  return { ...report, ended: "FIXED" }
}
