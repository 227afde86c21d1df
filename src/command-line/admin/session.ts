/** Where a command of `admin` gets its ports and prints its answer: alone, or among others in one process. */
import { Console, Context, Effect, Layer, Logger, type Stdio } from "effect"
import { Supplies } from "../../service.ts"
import { errorBody, Refused } from "../../vocabulary/refusals.ts"
import { besideServer, reported, Stopped } from "../production.ts"
import { jsonText } from "./text.ts"

/** Every port of this installation, over one pool of connections. */
export const ports = Layer.merge(
  Supplies.pipe(Layer.provideMerge(besideServer)),
  // Standard output has the answers, for another program to read.
  Logger.layer([Logger.withConsoleError(Logger.formatJson)])
)

export type Ports = Layer.Success<typeof ports> | Stdio.Stdio

export interface Session {
  /** Runs an operation against this installation and hands over its answer, or its refusal. */
  readonly run: <A>(
    operation: Effect.Effect<A, Refused | Stopped, Ports>,
    textOf: (answer: A) => string
  ) => Effect.Effect<void, Stopped, Stdio.Stdio>
}

/** Prints the answer, or the refusal on standard error. */
const alone: Session = {
  run: (operation, textOf) =>
    operation.pipe(
      Effect.flatMap((answer) => Console.log(textOf(answer))),
      Effect.catch((error) => {
        if (!(error instanceof Refused)) return Effect.fail(error)
        const told = Console.error(jsonText(errorBody(error)))
        return Effect.andThen(told, new Stopped({ message: error.code }))
      }),
      Effect.provide(ports),
      reported
    )
}

export const CurrentSession = Context.Reference<Session>("countersign/command-line/admin/Session", {
  defaultValue: () => alone
})

export const runCommand = <A>(
  operation: Effect.Effect<A, Refused | Stopped, Ports>,
  textOf: (answer: A) => string = jsonText
) => Effect.flatMap(CurrentSession, (session) => session.run(operation, textOf))
