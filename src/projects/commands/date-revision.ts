/** Either side requests another date: delivery or review is on hold until people revise the terms or lift the hold. */
import { Result } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { requireMove, type Decision, type DecisionContext } from "../requirements.ts"
import type { DateRevisionPayload } from "../event.ts"
import type { Project } from "../project.ts"

export interface DateRevisionInput extends DateRevisionPayload {
  readonly requestId: string
  readonly expectedEventHash: string
}

export const decideDateRevision = (
  project: Project,
  input: DateRevisionInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, `HOLD_${input.purpose}`, context)
    const { agreementDigest, purpose, reason } = input
    return { event: { kind: "DATE_REVISION", payload: { agreementDigest, purpose, reason } } }
  })
