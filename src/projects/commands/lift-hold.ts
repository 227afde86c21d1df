/** A person of either side lets delivery or review go on under the agreed dates. */
import { Result } from "effect"
import type { Refused } from "../../vocabulary/refusals.ts"
import { requireMove, type Decision, type Given } from "../requirements.ts"
import type { Project } from "../project.ts"

export interface LiftHoldInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly reason: string
}

export const decideLiftHold = (
  project: Project,
  input: LiftHoldInput,
  given: Given
): Result.Result<Decision, Refused> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "LIFT_HOLD", given)
    const { agreementDigest, reason } = input
    // The move starts only where a hold stands.
    return { event: { kind: "LIFT_HOLD", payload: { agreementDigest, purpose: project.hold!.purpose, reason } } }
  })
