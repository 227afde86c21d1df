/** An agent stops and asks for a person: a pause for its own side, which only a person of that side lifts. */
import { Result } from "effect"
import type { Refused } from "../../vocabulary/refusals.ts"
import type { Decision } from "../requirements.ts"

export interface HandoffInput {
  readonly requestId: string
  readonly reason: string
}

/** Possible in every state; a project that is paused already was refused before this. */
export const decideHandoff = ({ reason }: HandoffInput): Result.Result<Decision, Refused> =>
  Result.succeed({ handoff: { reason } })
