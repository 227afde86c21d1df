/** What an effect prints. */
import { Console, Effect } from "effect"

/** Captures the lines written to standard error while an effect runs. */
export const captureConsole = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const original = yield* Console.Console
    const result = yield* Effect.provideService(effect, Console.Console, {
      ...original,
      error: (line: unknown) => void lines.push(String(line))
    })
    return { result, lines }
  })
