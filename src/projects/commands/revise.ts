/** The buyer commits revised terms as a new project: replaced at once, or offered beside the agreed terms. */
import { Result } from "effect"
import { defineCommand } from "../command.ts"
import { revisionMoveFrom } from "../moves.ts"
import type { CreateInput } from "../new-project.ts"

export interface ReviseInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly reason: string
  readonly terms: CreateInput
}

/** The terms are checked like those of any creation when the new project is created. */
export const revise = defineCommand({
  kind: "REVISE",
  moveOf: (_: unknown, state) => revisionMoveFrom(state),
  decide: ({ state }, { terms, reason }: ReviseInput) =>
    Result.succeed({ revision: { move: revisionMoveFrom(state), terms, reason } })
})
