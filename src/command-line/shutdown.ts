/**
 * The effect of a signal on the process: a deadline over the whole shutdown, and the exit code. For a command that runs
 * until it is stopped that is a success; any other command was interrupted, which its caller must not take for success.
 */
import { constants } from "node:os"
import { Cause, Console, Context, Effect, Exit, Runtime } from "effect"
import { limits } from "../vocabulary/limits.ts"

export class Shutdown extends Context.Service<
  Shutdown,
  {
    /** Declares that the command runs until it is stopped: the first signal then ends the process with 0. */
    readonly stopIsSuccess: Effect.Effect<void>
  }
>()("countersign/command-line/Shutdown") {}

/** A command that runs until it is stopped. */
export const longRunning = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.andThen(
    Effect.flatMap(Shutdown, ({ stopIsSuccess }) => stopIsSuccess),
    command
  )

/**
 * Listens beside the runtime, which begins the shutdown at the first signal. A second signal ends the process at once; a
 * repetition shortly after the first does not count, since a terminal and npm both forward it.
 */
export const installShutdown = () => {
  let stage: "running" | "stopping" | "takes a second signal" = "running"
  let stopIsSuccess = false
  let interruptedCode = 0
  const stoppedCode = () => (stopIsSuccess ? 0 : interruptedCode)
  const deadline = Effect.gen(function* () {
    yield* Effect.sleep(limits.shutdownRepeat)
    stage = "takes a second signal"
    yield* Effect.sleep(limits.shutdown - limits.shutdownRepeat)
    yield* Console.error(
      `countersign: the shutdown took more than ${limits.shutdown / 1000} seconds: unfinished work is abandoned`
    )
    process.exit(stoppedCode())
  })
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const code = 128 + constants.signals[signal]
    process.on(signal, () => {
      if (stage === "running") {
        stage = "stopping"
        interruptedCode = code
        Effect.runFork(deadline)
      } else if (stage === "takes a second signal") process.exit(code)
    })
  }
  const teardown: Runtime.Teardown = (exit, onExit) =>
    stage !== "running" && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
      ? onExit(stoppedCode())
      : Runtime.defaultTeardown(exit, onExit)
  const shutdown = Shutdown.of({ stopIsSuccess: Effect.sync(() => void (stopIsSuccess = true)) })
  return { shutdown, teardown }
}
