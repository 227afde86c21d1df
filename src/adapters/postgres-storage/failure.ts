/** Classifies the driver's errors: an SQLSTATE of the server, or a lost connection. */
import { Cause } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { divisionByZero } from "./writes.ts"
import { connectionLost, type StoreFailure } from "../../ports/storage/transaction-retry.ts"

/** `racedKeys` are the constraints on which two transactions may collide by design. */
export const failureOf = (
  cause: Cause.Cause<SqlError>,
  label: string,
  racedKeys: ReadonlySet<string> = new Set()
): StoreFailure => {
  const error = Cause.squash(cause)
  const reported = serverReport(error)
  const code = codeOf(error)
  return {
    code,
    reason: `${label}: ${code === divisionByZero ? "no such row under an exclusive lock" : messageOf(error)}`,
    raced: reported?.constraint !== undefined && racedKeys.has(reported.constraint)
  }
}

/** True where no server reported the failure of a COMMIT: its outcome is indeterminate. */
export const isIndeterminate = (cause: Cause.Cause<SqlError>): boolean => {
  const code = codeOf(Cause.squash(cause))
  return code === connectionLost || code === driverFault
}

const driverFault = "driver"

const codeOf = (error: unknown): string => {
  const reported = serverReport(error)
  // Shutdowns and severed connections end the session; their codes mean no more than that.
  if (reported !== undefined) return /^(?:08|57P01|57P02|57P05)/.test(reported.code) ? connectionLost : reported.code
  return isSqlError(error) && error.reason._tag !== "ConnectionError" ? driverFault : connectionLost
}

const messageOf = (error: unknown): string => {
  const reported = serverReport(error) ?? error
  return reported instanceof Error ? reported.message : String(reported)
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
