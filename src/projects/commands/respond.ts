/** The named supplier responds to the exact terms. */
import { Result } from "effect"
import type { Role } from "../../access/actions.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { confirmRespond } from "../confirmation.ts"
import {
  requireConfirmation,
  requireMove,
  requirePerson,
  type Decision,
  type DecisionContext
} from "../requirements.ts"
import type { RespondPayload } from "../event.ts"
import type { Project } from "../project.ts"

export interface RespondInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly action: RespondPayload["action"]
  readonly actorId: string
  readonly actorRole: Role
  readonly authorityAttested: true
  readonly reason: string
  readonly confirmationDigest?: string
}

export const decideRespond = (
  project: Project,
  input: RespondInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    const move = `RESPOND_${input.action}` as const
    yield* requireMove(project, input, move, context)
    yield* requirePerson(project, move, context)
    yield* requireConfirmation(input.confirmationDigest, confirmRespond(project).digest)
    const { requestId: _, actorId: __, ...payload } = input
    return { event: { kind: "RESPOND", payload } }
  })
