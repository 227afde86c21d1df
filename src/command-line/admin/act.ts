/** A command of `admin` that changes something: it leaves a row in `admin log`. */
import { Effect, Option } from "effect"
import { Command, Flag, type Param } from "effect/cli"
import type { Act } from "../../administration/act.ts"
import { recordAct, recordFileAct } from "../../administration/recording.ts"
import type { Json } from "../../canonical/json.ts"
import { Refusal } from "../../vocabulary/refusals.ts"
import { CommandFailure } from "../production.ts"
import { readOperator } from "./operator.ts"
import { runCommand, type Ports } from "./session.ts"

type Arguments = Act["arguments"]

export interface ActDefinition<Input> {
  readonly description: string
  /**
   * `DATABASE` where every effect is a transaction of the storage port, which commits together with the row; `FILES` where
   * something else changes, between two rows.
   */
  readonly changes: "DATABASE" | "FILES"
  readonly run: (input: Input, why: string | null) => Effect.Effect<unknown, Error | Refusal, Ports>
  /** The input as recorded in the row; the whole input where absent. */
  readonly recordedInput?: (input: Input) => Arguments
  /** Replaces the optional `--reason`. */
  readonly reason?: Param.Param<typeof Param.flagKind, Option.Option<string>>
}

/** A command that writes its row to `admin log`; commands not made by this function write none. */
export const act = <const Name extends string, const Config extends Command.Command.Config>(
  name: Name,
  config: Config,
  definition: ActDefinition<Command.Command.Config.InferValue<Config>>
) => {
  const { description, changes, run, recordedInput = argumentsOf, reason = optionalReason } = definition
  return Command.make(name, { input: config, by, reason }, (given) => {
    const input = given.input as Command.Command.Config.InferValue<Config>
    const why = Option.getOrNull(given.reason as Option.Option<string>)
    return runCommand(
      Effect.gen(function* () {
        const operator = yield* readOperator(given.by as Option.Option<string>)
        const record = changes === "DATABASE" ? recordAct : recordFileAct
        const operation = Effect.mapError(run(input, why), asFailure)
        return yield* record({ operator, why, command: name, arguments: recordedInput(input) }, operation)
      })
    )
  }).pipe(Command.withDescription(description))
}

export const by = Flag.String("by").pipe(
  Flag.withDescription("The operator, for `admin log`; by default the account of the operating system"),
  Flag.optional
)

export const optionalReason = Flag.String("reason").pipe(
  Flag.withDescription("The reason, for `admin log`"),
  Flag.optional
)

const asFailure = (error: Error | Refusal): Refusal | CommandFailure =>
  error instanceof Refusal || error instanceof CommandFailure ? error : new CommandFailure({ message: error.message })

/** The flags that were set, by name. */
const argumentsOf = (input: unknown): Arguments =>
  Object.fromEntries(
    Object.entries(input as Readonly<Record<string, Json | Option.Option<Json>>>).flatMap(([name, value]) => {
      if (!Option.isOption(value)) return [[name, value]]
      return Option.isSome(value) ? [[name, value.value]] : []
    })
  )
