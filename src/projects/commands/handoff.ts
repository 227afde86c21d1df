/** A hand-off: an agent pauses its own side, and only a person of that side resumes it. */
import { Result } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { Decision } from "../requirements.ts"

export interface HandoffInput {
  readonly requestId: string
  readonly reason: string
}

/** Allowed in every state; a paused project was refused before. */
export const decideHandoff = ({ reason }: HandoffInput): Result.Result<Decision, Refusal> =>
  Result.succeed({ handoff: { reason } })
