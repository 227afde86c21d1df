/** Concerns: either side contests the confirmation, people dismiss or uphold the concern. */
import { Result } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { requireCurrentConfirmation, requireMove, type Decision, type DecisionContext } from "../requirements.ts"
import type { ConcernPayload, ResolveConcernPayload, WithdrawConfirmationPayload } from "../event.ts"
import type { Project } from "../project.ts"

export interface ConcernInput extends ConcernPayload {
  readonly requestId: string
  readonly expectedEventHash: string
}

/** Reliance on the confirmation is paused until a person resolves the concern. */
export const decideConcern = (
  project: Project,
  input: ConcernInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "CONCERN", context)
    yield* requireCurrentConfirmation(project, input.confirmationId)
    const { requestId: _, expectedEventHash: __, ...payload } = input
    return { event: { kind: "CONCERN", payload } }
  })

export interface ResolveConcernInput extends ResolveConcernPayload {
  readonly requestId: string
}

export const decideResolveConcern = (
  project: Project,
  input: ResolveConcernInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, input.resolution === "UPHELD" ? "UPHOLD_CONCERN" : "DISMISS_CONCERN", context)
    yield* requireCurrentConfirmation(project, input.confirmationId)
    const { requestId: _, ...payload } = input
    return { event: { kind: "RESOLVE_CONCERN", payload } }
  })

export interface WithdrawConfirmationInput extends WithdrawConfirmationPayload {
  readonly requestId: string
}

/** The buyer withdraws its confirmation, which is no longer valid. */
export const decideWithdrawConfirmation = (
  project: Project,
  input: WithdrawConfirmationInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "WITHDRAW_CONFIRMATION", context)
    yield* requireCurrentConfirmation(project, input.confirmationId)
    const { requestId: _, ...payload } = input
    return { event: { kind: "WITHDRAW_CONFIRMATION", payload } }
  })
