/** What may go wrong with a store, where, and what it looks like to an adapter. */
import { commitAborted, connectionLost, type Failure } from "../../src/ports/attempts.ts"

/** Where a fault can strike. A transaction is numbered by its attempts, from 1, within one layer. */
export interface FaultPoint {
  readonly transaction: number
  readonly at: "begin" | "lock" | "read" | "commit"
  /** The root that is locked, or the table that is read. */
  readonly what?: string
}

export type Fault =
  | "40001"
  | "40P01"
  | "23505"
  | "57014"
  | "53200"
  | "25006"
  | "connection-lost"
  /** COMMIT happened, its answer was lost. */
  | "commit-lost-committed"
  /** COMMIT did not happen, and its answer was lost. */
  | "commit-lost-aborted"
  /** The answer to COMMIT was lost while it is still running; it happens later. */
  | "commit-lost-running"

export type FaultAt = (point: FaultPoint) => Fault | undefined

/** An injected 23505 is a lost race: a plain duplicate would be a mistake in the program and needs no injection. */
export const failureOf = (fault: Fault, at: FaultPoint["at"]): Failure => ({
  code: fault.startsWith("commit-lost") ? (at === "commit" ? commitAborted : connectionLost) : fault,
  reason: `injected at ${at}`,
  raced: fault === "23505"
})
