/** Exit codes of the commands, and their messages on standard error. */
import { Console, Effect } from "effect"
import type { Verdict } from "../observation/observation.ts"
import { escapeForTerminal } from "../reports/escape.ts"

/** All expectations hold. */
export const PASSED = 0
/** An expectation or a property does not hold. */
export const FAILED = 1
/** The command line or a script cannot be used; there is no result. */
export const UNUSABLE = 2
/** A replay reached a choice point at which the recorded choice is not available. */
export const DIVERGED = 3
/** A search that had to be complete is not; it found no violation. */
export const NOT_COMPLETE = 4

export const exitCodeOf: { readonly [verdict in Verdict]: number } = { PASSED, FAILED, UNUSABLE }

/** Sets the exit code to the most severe code noted so far; the program continues. */
export const noteExitCode = (code: number): void => {
  process.exitCode = Math.max(code, Number(process.exitCode ?? PASSED))
}

/** Prints to a stream, with control characters of scripts, traces and file names escaped. */
export const printOn =
  (stream: "stdout" | "stderr") =>
  (text: string): Effect.Effect<void> =>
    (stream === "stdout" ? Console.log : Console.error)(escapeForTerminal(text))

/** Prints to standard output. */
export const print = printOn("stdout")

/** Writes to disk, or ends the command with the path and the error. */
export const writeOrEnd = (place: string, write: () => void): Effect.Effect<void> =>
  Effect.catch(Effect.try({ try: write, catch: String }), (error) =>
    endWith(UNUSABLE, `${place} cannot be written: ${error}`)
  )

/** Prints a message to standard error and notes the exit code. */
export const endWith = (code: number, message: string): Effect.Effect<void> =>
  Effect.andThen(
    Console.error(escapeForTerminal(message)),
    Effect.sync(() => noteExitCode(code))
  )
