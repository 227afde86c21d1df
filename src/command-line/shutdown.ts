/** One deadline over the whole shutdown: whatever still hangs then, the process ends. */
import { constants } from "node:os"
import { Console, Effect } from "effect"
import { limits } from "../vocabulary/limits.ts"

/**
 * Listens beside the runtime, which begins the orderly end at the first signal. A second one ends the process at once;
 * the same signal within a moment of the first is no second one, since a terminal and npm both pass it on.
 */
export const boundShutdown = (): void => {
  let stage: "running" | "stopping" | "takes a second signal" = "running"
  const deadline = Effect.gen(function* () {
    yield* Effect.sleep(limits.shutdownRepeat)
    stage = "takes a second signal"
    yield* Effect.sleep(limits.shutdown - limits.shutdownRepeat)
    yield* Console.error(
      `countersign: stopping took more than ${limits.shutdown / 1000} seconds: what was still under way is abandoned`
    )
    process.exit(0)
  })
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stage === "running") {
        stage = "stopping"
        Effect.runFork(deadline)
      } else if (stage === "takes a second signal") process.exit(128 + constants.signals[signal])
    })
  }
}
