/** SIGHUP reads the keys again, and ends no server and no worker. */
import { Effect, Queue } from "effect"
import { KeyReload } from "../adapters/running-keys.ts"

/**
 * Runs a command with the effect that waits for the next SIGHUP. Signals that arrive before it waits count as one. The
 * listener stays: without it a SIGHUP during a shutdown would end the process.
 */
export const withHangups = <A, E, R>(command: (nextHangup: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const hangups = yield* Queue.sliding<void>(1)
    process.on("SIGHUP", () => void Queue.offerUnsafe(hangups, undefined))
    return yield* command(Queue.take(hangups))
  })

/** The reason of a refused reload is in the log. */
export const reloadAtEach = (nextHangup: Effect.Effect<void>) =>
  Effect.flatMap(KeyReload, ({ reload }) => Effect.forever(Effect.andThen(nextHangup, Effect.ignore(reload))))
