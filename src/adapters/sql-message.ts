/** What a failed statement or connection says to the operator. */
import type { SqlError } from "effect/sql/SqlError"

/** What the server or the socket reported. */
export const sqlMessage = (error: SqlError): string => {
  const { cause } = error.reason
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message
}
