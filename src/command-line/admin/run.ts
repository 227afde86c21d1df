/** `admin run`: many commands in one process, over one connection pool. */
import { Console, Effect, FileSystem, Option, Ref, Stdio, Stream, type Context } from "effect"
import { Argument, CliConfig, CliOutput, Command, Flag } from "effect/cli"
import { split } from "shlex"
import { errorBody, Refusal } from "../../vocabulary/refusals.ts"
import { reportFailure, CommandFailure, unavailableAsFailure } from "../production.ts"
import { batchActs } from "./acts.ts"
import { CurrentSession, ports, type Ports, type Session } from "./session.ts"
import { jsonText } from "./text.ts"

type Result =
  | { readonly outcome: "DONE"; readonly answer: unknown }
  | { readonly outcome: string; readonly detail: string; readonly [member: string]: unknown }

const file = Argument.Path("file").pipe(
  Argument.withDescription(
    "One command a line, as after `admin`, in words as a shell reads them; # begins a comment line. Standard input where absent"
  ),
  Argument.optional
)

const continueOnFailure = Flag.Boolean("continue").pipe(
  Flag.withDescription("Continue after a command that was refused or failed"),
  Flag.withDefault(false)
)

export const run = Command.make("run", { file, continueOnFailure }, ({ file, continueOnFailure }) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Ports>()
    const failed = yield* Ref.make(0)
    yield* lines(Option.getOrUndefined(file)).pipe(
      Stream.zipWithIndex,
      Stream.mapEffect(([text, index]) =>
        Effect.gen(function* () {
          const command = text.trim()
          if (command === "" || command.startsWith("#")) return true
          const result = yield* runLine(command, context)
          yield* Console.log(jsonText({ line: index + 1, ...result }, 0))
          if (result.outcome !== "DONE") yield* Ref.update(failed, (count) => count + 1)
          return result.outcome === "DONE" || continueOnFailure
        })
      ),
      Stream.takeUntil((shouldContinue) => !shouldContinue),
      Stream.runDrain
    )
    const count = yield* Ref.get(failed)
    if (count > 0)
      return yield* new CommandFailure({ message: count === 1 ? "one command failed" : `${count} commands failed` })
  }).pipe(Effect.provide(ports), reportFailure)
).pipe(
  Command.withDescription(
    "Run the commands of a file, or of standard input, in one process; it prints one JSON object a command and stops at the first that fails"
  )
)

const lines = (path: string | undefined) =>
  Stream.unwrap(
    Effect.gen(function* () {
      if (path === undefined) return (yield* Stdio.Stdio).stdin
      return (yield* FileSystem.FileSystem).stream(path)
    })
  ).pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.mapError(({ message }) => new CommandFailure({ message }))
  )

/** Parses a line by the definitions of the commands, and runs it. */
const runLine = Effect.fnUntraced(function* (text: string, context: Context.Context<Ports>) {
  const words = yield* Effect.option(Effect.try(() => split(text)))
  if (Option.isNone(words)) return failure("FAILED", "A quote is open, or a backslash stands at the end of the line.")
  if (words.value[0] === "set-password") {
    return failure("FAILED", "set-password reads standard input: run it by itself.")
  }
  let result: Result = failure("FAILED", "The line holds no command that changes something.")
  const session: Session = {
    run: (operation) =>
      operation.pipe(
        Effect.provideContext(context),
        unavailableAsFailure,
        Effect.match({
          onSuccess: (answer): Result => ({ outcome: "DONE", answer }),
          onFailure: (error): Result =>
            error instanceof Refusal ? { outcome: error.code, ...errorBody(error) } : failure("FAILED", error.message)
        }),
        Effect.catchDefect((defect) =>
          Effect.as(
            Effect.logError("defect", { command: words.value[0] }, defect),
            failure("FAILED", "An internal error occurred; see `admin log` for what the command changed.")
          )
        ),
        Effect.map((outcome) => void (result = outcome))
      )
  }
  const errors = yield* runWords(words.value).pipe(
    Effect.provideService(CurrentSession, session),
    Effect.match({
      onSuccess: () => [],
      onFailure: (error) => (error._tag === "ShowHelp" ? error.errors : [error])
    })
  )
  return errors.length === 0 ? result : failure("FAILED", errors.map(({ message }) => message).join(" "))
})

const failure = (outcome: string, detail: string): Result => ({ outcome, detail })

const runWords = (words: ReadonlyArray<string>) =>
  Command.runWith(batch, { version: "", renderErrors: false })(words).pipe(
    Effect.provideService(CliOutput.Presenter, { present: () => Effect.void }),
    Effect.provideService(CliConfig.CliConfig, { builtIns: [] })
  )

const batch = Command.make("admin").pipe(Command.withSubcommands(batchActs))
