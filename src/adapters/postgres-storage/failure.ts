/** Reads what the driver reports: which SQLSTATE, or that the connection is gone. */
import { Cause } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { divisionByZero } from "./writes.ts"
import { connectionLost, type Failure } from "../../ports/attempts.ts"

/** `racedKeys` are the constraints on which two transactions may meet on purpose. */
export const failureOf = (
  cause: Cause.Cause<SqlError>,
  label: string,
  racedKeys: ReadonlySet<string> = new Set()
): Failure => {
  const error = Cause.squash(cause)
  const reported = serverReport(error)
  const code = codeOf(error)
  return {
    code,
    reason: `${label}: ${code === divisionByZero ? "no such row under a root that is held exclusively" : messageOf(error)}`,
    raced: reported?.constraint !== undefined && racedKeys.has(reported.constraint)
  }
}

/** True where no server reported the failure of a COMMIT: it may have happened. */
export const leavesDoubt = (cause: Cause.Cause<SqlError>): boolean => {
  const code = codeOf(Cause.squash(cause))
  return code === connectionLost || code === driverFault
}

const driverFault = "driver"

const codeOf = (error: unknown): string => {
  const reported = serverReport(error)
  // Shutdowns and severed connections end the session; their code says no more than that it ended.
  if (reported !== undefined) return /^(?:08|57P01|57P02|57P05)/.test(reported.code) ? connectionLost : reported.code
  return isSqlError(error) && error.reason._tag !== "ConnectionError" ? driverFault : connectionLost
}

const messageOf = (error: unknown): string => {
  const told = serverReport(error) ?? error
  return told instanceof Error ? told.message : String(told)
}

interface ServerReport extends Error {
  readonly severity: string
  readonly code: string
  readonly constraint?: string
}

const serverReport = (error: unknown): ServerReport | undefined => {
  if (!isSqlError(error)) return undefined
  const cause = error.reason.cause
  return cause instanceof Error && "severity" in cause && "code" in cause ? (cause as ServerReport) : undefined
}
