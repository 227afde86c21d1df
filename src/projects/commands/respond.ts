/** The named supplier answers the exact terms. */
import { Result } from "effect"
import type { Role } from "../../access/actions.ts"
import { refusal, type Refused } from "../../vocabulary/refusals.ts"
import { confirmRespond } from "../confirmation.ts"
import { requireConfirmation, requireMove, requirePerson, type Decision, type Given } from "../requirements.ts"
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

export const decideRespond = (project: Project, input: RespondInput, given: Given): Result.Result<Decision, Refused> =>
  Result.gen(function* () {
    yield* requireMove(project, input, `RESPOND_${input.action}`)
    const { deadline } = project.agreement.terms
    if (input.action === "ACCEPT" && given.now > deadline) {
      return yield* Result.fail(refusal("DELIVERY_DEADLINE_PASSED", { dueAt: deadline }))
    }
    yield* requirePerson(project, ["RESPOND"], given)
    yield* requireConfirmation(input.confirmationDigest, confirmRespond(project).digest)
    const { requestId: _, actorId: __, ...payload } = input
    return { event: { kind: "RESPOND", payload } }
  })
