/** How every command ends: with a code that a shell can tell apart, and with words on standard error. */
import { Console, Effect } from "effect"
import type { Verdict } from "../observation.ts"
import { visibleOnTerminal } from "../reports/visible.ts"

/** Everything went as expected. */
export const PASSED = 0
/** Something did not. */
export const FAILED = 1
/** The command line or a script cannot be used; nothing was learned. */
export const UNUSABLE = 2
/** A replay came to a place where what is recorded cannot be chosen any more. */
export const DIVERGED = 3
/** A search that was to be complete is not; nothing wrong was found. */
export const NOT_COMPLETE = 4

export const codeOf: { readonly [verdict in Verdict]: number } = { PASSED, FAILED, UNUSABLE }

/** The program goes on; when it ends, it does so with the gravest code of all that were noted. */
export const note = (code: number): void => {
  process.exitCode = Math.max(code, Number(process.exitCode ?? PASSED))
}

/** What a command tells on standard output, whatever scripts, traces and names of files hold. */
export const print = (text: string): Effect.Effect<void> => Console.log(visibleOnTerminal(text))

/** Writes to disk, or says which place cannot be written and why. */
export const written = (place: string, write: () => void): Effect.Effect<void> =>
  Effect.catch(Effect.try({ try: write, catch: String }), (error) =>
    end(UNUSABLE, `${place} cannot be written: ${error}`)
  )

/** Says on standard error why the command ends. */
export const end = (code: number, message: string): Effect.Effect<void> =>
  Effect.andThen(
    Console.error(visibleOnTerminal(message)),
    Effect.sync(() => note(code))
  )
