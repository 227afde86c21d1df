/** The buyer commits revised terms as a new project: replaced at once, or offered beside the agreed terms. */
import { Result } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { CreateInput } from "../new-project.ts"
import type { Project } from "../project.ts"
import { revisionMoveFrom } from "../moves.ts"
import { requireMove, type Decision, type DecisionContext } from "../requirements.ts"

export interface ReviseInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly reason: string
  readonly terms: CreateInput
}

/** The terms are checked like those of any creation when the new project is created. */
export const decideRevise = (
  project: Project,
  input: ReviseInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    const move = revisionMoveFrom(project.state)
    yield* requireMove(project, input, move, context)
    return { revision: { move, terms: input.terms, reason: input.reason } }
  })
