/** `simulate …` to its end in this process: what `simulator/main.ts` runs. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Stdio } from "effect"
import { runSimulator } from "../../simulator/commands/simulator.ts"
import { PrintedText } from "./printed-text.ts"

/** Only for commands that print to the console and read no standard input; one at a time. */
export const runSimulate = async (parameters: ReadonlyArray<string>) => {
  const printed = new PrintedText()
  const stdio = Stdio.layerTest({ args: Effect.succeed(parameters) })
  const codeOfThisProcess = process.exitCode
  process.exitCode = undefined
  try {
    await Effect.runPromise(
      runSimulator.pipe(
        Effect.provideService(Console.Console, printed.console),
        Effect.provide(Layer.merge(NodeServices.layer, stdio))
      )
    )
    return { status: Number(process.exitCode ?? 0), stdout: printed.stdout, stderr: printed.stderr }
  } finally {
    process.exitCode = codeOfThisProcess
  }
}
