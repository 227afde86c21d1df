/** `countersign …` to its end in this process: what `main.ts` runs, without its handling of signals. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, ConfigProvider, Console, Effect, Exit, Layer, Runtime, Stdio, Stream } from "effect"
import { runCountersign } from "../../src/command-line/countersign.ts"
import { Shutdown } from "../../src/command-line/shutdown.ts"
import type { Environment } from "./installation.ts"
import { PrintedText } from "./printed-text.ts"

export interface EndedCommand {
  readonly code: number
  readonly stdout: string
  /** Of both streams. */
  readonly output: string
}

/** Runs the command with only these variables. */
export const runCommand = (environment: Environment, ...command: ReadonlyArray<string>): Effect.Effect<EndedCommand> =>
  runReading("", environment, ...command)

/** The same, with this on its standard input. */
export const runReading = (input: string, environment: Environment, ...command: ReadonlyArray<string>) =>
  // A runtime of its own, so that no layer is shared with the test or an earlier command.
  Effect.promise(async (signal): Promise<EndedCommand> => {
    const printed = new PrintedText()
    const stdio = Stdio.layerTest({
      args: Effect.succeed(command),
      stdin: Stream.make(new TextEncoder().encode(input))
    })
    const config = ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))
    const exit = await Effect.runPromiseExit(
      runCountersign.pipe(
        Effect.provideService(Shutdown, { stopIsSuccess: Effect.void }),
        Effect.provideService(Console.Console, printed.console),
        Effect.provide(Layer.mergeAll(NodeServices.layer, config).pipe(Layer.merge(stdio)))
      ),
      { signal }
    )
    if (Exit.isFailure(exit) && Runtime.getErrorReported(Cause.squash(exit.cause))) {
      printed.console.error(Cause.pretty(exit.cause))
    }
    let code = 0
    Runtime.defaultTeardown(exit, (ended) => (code = ended))
    return { code, stdout: printed.stdout, output: printed.output }
  })
