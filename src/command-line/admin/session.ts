/** The ports of an `admin` command and the output of its answer: alone, or among others in one process. */
import { Console, Context, Effect, Layer, Logger, type Stdio } from "effect"
import { CapabilityPorts } from "../../service.ts"
import { errorBody, Refusal } from "../../vocabulary/refusals.ts"
import { besideServer, reportFailure, CommandFailure } from "../production.ts"
import { requireDatabase } from "./existing-installation.ts"
import { jsonText } from "./text.ts"

/** Every port of this installation, over one connection pool. */
export const ports = Layer.merge(
  CapabilityPorts.pipe(Layer.provideMerge(besideServer)),
  // Standard output contains the answers only, for another program to read.
  Logger.layer([Logger.withConsoleError(Logger.formatJson)])
)

export type Ports = Layer.Success<typeof ports> | Stdio.Stdio

export interface Session {
  /** Runs an operation against this installation and outputs its answer, or its refusal. */
  readonly run: <A>(
    operation: Effect.Effect<A, Refusal | CommandFailure, Ports>,
    textOf: (answer: A) => string
  ) => Effect.Effect<void, CommandFailure, Stdio.Stdio>
}

/** Prints the answer, or the refusal on standard error. */
const standalone: Session = {
  run: (operation, textOf) =>
    operation.pipe(
      Effect.flatMap((answer) => Console.log(textOf(answer))),
      Effect.catch((error) => {
        if (!(error instanceof Refusal)) return Effect.fail(error)
        const printed = Console.error(jsonText(errorBody(error)))
        return Effect.andThen(printed, new CommandFailure({ message: error.code }))
      }),
      Effect.provide(ports),
      reportFailure
    )
}

export const CurrentSession = Context.Reference<Session>("countersign/command-line/admin/CurrentSession", {
  defaultValue: () => standalone
})

export const runCommand = <A>(
  operation: Effect.Effect<A, Refusal | CommandFailure, Ports>,
  textOf: (answer: A) => string = jsonText
) => Effect.flatMap(CurrentSession, (session) => session.run(operation, textOf))

/** The same for an operation that only reads: it makes no installation. */
export const runReadCommand = <A>(
  operation: Effect.Effect<A, Refusal | CommandFailure, Ports>,
  textOf: (answer: A) => string
) => Effect.andThen(reportFailure(requireDatabase), runCommand(operation, textOf))
