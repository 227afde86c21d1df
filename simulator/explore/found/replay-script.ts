/** Has the run of one script again to the letter, with every invariant held against it. */
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
  /** The steps and what came of them, as far as they went. */
  readonly story: string
} & (
  | { readonly ended: "FIXED" }
  | {
      readonly ended: "REPRODUCES"
      readonly violation: Violation
      readonly says: string
      readonly why: ReadonlyArray<string>
    }
  /** What is injected and never strikes is for somebody. */
  | { readonly ended: "DIVERGED"; readonly at: Divergence | { readonly untouched: string } }
)

export const replayScript = (file: string, scenario: Scenario, judged: Judged): Result.Result<Replayed, string> => {
  const failing = failingIn(scenario)
  if (failing === undefined) return Result.fail(`${file}: no step says explore: from where on is it had again?`)
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
  const told = {
    file,
    made: following.made,
    story: recorder.redact([scenario.title, "", ...renderSteps(file, scenario, recorder.observations), ""].join("\n"))
  }
  if (violation !== undefined) {
    const says = [...judged.invariants, ...judged.probes].find(({ name }) => name === violation.invariant)?.says ?? ""
    return { ...told, ended: "REPRODUCES", violation, says, why: whyOf(recorder.observations, violation) }
  }
  const { divergence } = following
  if (divergence !== undefined) return { ...told, ended: "DIVERGED", at: divergence }
  const { faults, network } = attempted.journey?.world ?? {}
  const overridden = [...(network?.receivers.values() ?? [])].filter((receiver) => receiver.overridden.length > 0)
  const [untouched] = [...(faults?.untouched ?? []), ...overridden.map(({ name }) => name)]
  if (untouched !== undefined) return { ...told, ended: "DIVERGED", at: { untouched } }
  return { ...told, ended: "FIXED" }
}
