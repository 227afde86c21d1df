/** Supersession: one exact project replaces another. */
import type { Transaction } from "../ports/storage.ts"
import type { Command } from "./decide.ts"
import { appendEvent, type NewEvent, type StoredProject } from "./history.ts"
import { canMove } from "./moves.ts"
import { traced } from "../vocabulary/traced.ts"

/** True for the command that may supersede another project with its own. */
export const isSuperseding = (command: Command): boolean =>
  command.kind === "RESPOND" && command.input.action === "ACCEPT"

/**
 * Supersedes a project by its successor, in the successor's transaction. A project that has ended in the meantime is left
 * unchanged; the new terms are in force beside it.
 */
export const supersede = traced("projects.supersede")(function* (
  transaction: Transaction,
  stored: StoredProject,
  {
    successor,
    reason,
    ...occurrence
  }: Pick<NewEvent, "requestId" | "actor" | "now"> & { readonly successor: StoredProject; readonly reason: string }
) {
  const { project } = stored
  if (!canMove(project.state, "SUPERSEDE") && !canMove(project.state, "REPLACE_TERMS")) return
  const { agreement, agreementDigest: digest } = successor.project
  const payload = {
    agreementDigest: project.agreementDigest,
    successor: { projectId: agreement.projectId, digest },
    reason
  }
  yield* appendEvent(transaction, stored, { ...occurrence, content: { kind: "SUPERSEDE", payload } })
})
