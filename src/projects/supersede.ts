/** One exact project takes the place of another. */
import { Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import type { Command } from "./decide.ts"
import { appendEvent, type Occurrence, type Stored } from "./history.ts"
import { canMove } from "./project.ts"

/** True for the command that may supersede another project with its own. */
export const isSuperseding = (command: Command): boolean =>
  command.kind === "RESPOND" && command.input.action === "ACCEPT"

/**
 * Ends a project in favour of its successor, in the successor's own transaction. A project that has ended otherwise
 * meanwhile stays as it is: the new terms hold beside it.
 */
export const supersede = Effect.fn("projects.supersede")(function* (
  transaction: Transaction,
  stored: Stored,
  {
    successor,
    reason,
    ...occurrence
  }: Omit<Occurrence, "happening"> & { readonly successor: Stored; readonly reason: string }
) {
  const { project } = stored
  if (!canMove(project.state, "SUPERSEDE") && !canMove(project.state, "REPLACE_TERMS")) return
  const { agreement, agreementDigest: digest } = successor.project
  const payload = {
    agreementDigest: project.agreementDigest,
    successor: { projectId: agreement.projectId, digest },
    reason
  }
  yield* appendEvent(transaction, stored, { ...occurrence, happening: { kind: "SUPERSEDE", payload } })
})
