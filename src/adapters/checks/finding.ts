/** The result of one check of an installation. */
import { Effect } from "effect"

export interface Finding {
  /** `SKIPPED`: not configured, or not possible before another problem is solved. `WARNING`: a start succeeds. */
  readonly outcome: "OK" | "WARNING" | "PROBLEM" | "SKIPPED"
  /** One line that begins with the variable to change. */
  readonly message: string
}

export const ok = (message: string): Finding => ({ outcome: "OK", message })
export const warning = (message: string): Finding => ({ outcome: "WARNING", message })
export const problem = (message: string): Finding => ({ outcome: "PROBLEM", message })
export const skipped = (message: string): Finding => ({ outcome: "SKIPPED", message })

/** The problem of a check that fails, or its message on success. */
export const findingOf = <A, R>(
  check: Effect.Effect<A, { readonly message: string }, R>,
  texts: { readonly variable: string; readonly onSuccess: (value: A) => string }
): Effect.Effect<Finding, never, R> =>
  Effect.match(check, {
    onFailure: ({ message }) => problemWith(texts.variable, message),
    onSuccess: (value) => ok(`${texts.variable}: ${texts.onSuccess(value)}`)
  })

/** The message of a failure as one line that begins with the variable. */
export const problemWith = (variable: string, message: string): Finding => {
  const line = message.replaceAll(/\s+/g, " ").trim()
  const isNamed = line.startsWith(`${variable}:`) || line.startsWith(`${variable} `)
  return problem(isNamed ? line : `${variable}: ${line}`)
}
