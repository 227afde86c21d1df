/** A person of either side lifts a hold: delivery or review continues under the agreed dates. */
import { Result } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { requireMove, type Decision, type DecisionContext } from "../requirements.ts"
import type { Project } from "../project.ts"

export interface LiftHoldInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly reason: string
}

export const decideLiftHold = (
  project: Project,
  input: LiftHoldInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "LIFT_HOLD", context)
    const { agreementDigest, reason } = input
    // The move requires a hold.
    return { event: { kind: "LIFT_HOLD", payload: { agreementDigest, purpose: project.hold!.purpose, reason } } }
  })
