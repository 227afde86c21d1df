/** Exit codes of the commands, and their messages on standard error. */
import { Console, Effect } from "effect"
import type { Verdict } from "../observation.ts"
import { visibleOnTerminal } from "../reports/visible.ts"

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

export const codeOf: { readonly [verdict in Verdict]: number } = { PASSED, FAILED, UNUSABLE }

/** Sets the exit code to the most severe code noted so far; the program continues. */
export const note = (code: number): void => {
  process.exitCode = Math.max(code, Number(process.exitCode ?? PASSED))
}

/** Prints to standard output, with control characters of scripts, traces and file names escaped. */
export const print = (text: string): Effect.Effect<void> => Console.log(visibleOnTerminal(text))

/** Writes to disk, or ends the command with the path and the error. */
export const written = (place: string, write: () => void): Effect.Effect<void> =>
  Effect.catch(Effect.try({ try: write, catch: String }), (error) =>
    end(UNUSABLE, `${place} cannot be written: ${error}`)
  )

/** Prints a message to standard error and notes the exit code. */
export const end = (code: number, message: string): Effect.Effect<void> =>
  Effect.andThen(
    Console.error(visibleOnTerminal(message)),
    Effect.sync(() => note(code))
  )
