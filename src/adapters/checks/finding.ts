/** What one check of an installation found. */
import { Effect } from "effect"

export interface Finding {
  /** `SKIPPED`: not configured, or not possible before another problem is solved. */
  readonly outcome: "OK" | "PROBLEM" | "SKIPPED"
  /** One line that begins with the variable to change. */
  readonly message: string
}

export const ok = (message: string): Finding => ({ outcome: "OK", message })
export const problem = (message: string): Finding => ({ outcome: "PROBLEM", message })
export const skipped = (message: string): Finding => ({ outcome: "SKIPPED", message })

/** The problem of a check that fails, or its message on success. */
export const found = <A, R>(
  check: Effect.Effect<A, { readonly message: string }, R>,
  say: { readonly variable: string; readonly onSuccess: (value: A) => string }
): Effect.Effect<Finding, never, R> =>
  Effect.match(check, {
    onFailure: ({ message }) => problem(named(say.variable, message)),
    onSuccess: (value) => ok(`${say.variable}: ${say.onSuccess(value)}`)
  })

const named = (variable: string, message: string): string => {
  const line = message.replaceAll(/\s+/g, " ").trim()
  return line.startsWith(`${variable}:`) ? line : `${variable}: ${line}`
}
