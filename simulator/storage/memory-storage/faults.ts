/** Faults of a store, their points, and the failures that an adapter sees. */
import { commitAborted, connectionLost, type StoreFailure } from "../../../src/ports/storage/transaction-retry.ts"

/** A point at which a fault can occur. Attempts are numbered from 1 within one layer. */
export interface FaultPoint {
  readonly transaction: number
  readonly at: "begin" | "lock" | "read" | "commit"
  /** The locked root, or the table that is read. */
  readonly what?: string
}

export type InjectedStoreFault =
  | "40001"
  | "40P01"
  | "23505"
  | "57014"
  | "53200"
  | "25006"
  | "connection-lost"
  /** COMMIT succeeded, its response was lost. */
  | "commit-lost-committed"
  /** COMMIT failed, its response was lost. */
  | "commit-lost-aborted"
  /** The response to COMMIT was lost while it is still running; it succeeds later. */
  | "commit-lost-running"

export type FaultAt = (point: FaultPoint) => InjectedStoreFault | undefined

/** An injected 23505 is a lost race: a plain duplicate would be a bug in the program. */
export const failureOf = (fault: InjectedStoreFault, at: FaultPoint["at"]): StoreFailure => ({
  code: fault.startsWith("commit-lost") ? (at === "commit" ? commitAborted : connectionLost) : fault,
  reason: `injected at ${at}`,
  raced: fault === "23505"
})
