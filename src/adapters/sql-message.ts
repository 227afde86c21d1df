/** The message of a failed statement or connection, for the operator. */
import type { SqlError } from "effect/sql/SqlError"

/** The report of the server or the socket. */
export const sqlMessage = (error: SqlError): string => {
  const { cause } = error.reason
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message
}
