/** A command of `admin` that changes something: it leaves a row that says who did it and why. */
import { Effect, Option } from "effect"
import { Command, Flag, type Param } from "effect/cli"
import type { Act } from "../../administration/act.ts"
import { recordAct, recordAround } from "../../administration/recording.ts"
import type { Json } from "../../canonical/json.ts"
import { Refused } from "../../vocabulary/refusals.ts"
import { Stopped } from "../production.ts"
import { operatorNamed } from "./operator.ts"
import { runCommand, type Ports } from "./session.ts"

type Arguments = Act["arguments"]

export interface Acting<Input> {
  readonly description: string
  /**
   * `DATABASE` where every effect is a transaction of the storage port, which then commits with the row; `FILES` where
   * something else changes, between two rows.
   */
  readonly changes: "DATABASE" | "FILES"
  readonly run: (input: Input, why: string | null) => Effect.Effect<unknown, Error | Refused, Ports>
  /** The input as its row has it; all of it where absent. */
  readonly recorded?: (input: Input) => Arguments
  /** In the place of the optional `--reason`. */
  readonly reason?: Param.Param<typeof Param.flagKind, Option.Option<string>>
}

/** The rows that these commands leave are those of `admin log`; a command made without it leaves none. */
export const act = <const Name extends string, const Config extends Command.Command.Config>(
  name: Name,
  config: Config,
  acting: Acting<Command.Command.Config.InferValue<Config>>
) => {
  const { description, changes, run, recorded = argumentsOf, reason = optionalReason } = acting
  return Command.make(name, { input: config, by, reason }, (given) => {
    const input = given.input as Command.Command.Config.InferValue<Config>
    const why = Option.getOrNull(given.reason as Option.Option<string>)
    return runCommand(
      Effect.gen(function* () {
        const operator = yield* operatorNamed(given.by as Option.Option<string>)
        const record = changes === "DATABASE" ? recordAct : recordAround
        const operation = Effect.mapError(run(input, why), asFailure)
        return yield* record({ operator, why, command: name, arguments: recorded(input) }, operation)
      })
    )
  }).pipe(Command.withDescription(description))
}

export const by = Flag.String("by").pipe(
  Flag.withDescription("Who does it, for `admin log`; the account of the operating system where absent"),
  Flag.optional
)

export const optionalReason = Flag.String("reason").pipe(Flag.withDescription("Why, for `admin log`"), Flag.optional)

const asFailure = (error: Error | Refused): Refused | Stopped =>
  error instanceof Refused || error instanceof Stopped ? error : new Stopped({ message: error.message })

/** The flags that were given, by their names. */
const argumentsOf = (input: unknown): Arguments =>
  Object.fromEntries(
    Object.entries(input as Readonly<Record<string, Json | Option.Option<Json>>>).flatMap(([name, value]) => {
      if (!Option.isOption(value)) return [[name, value]]
      return Option.isSome(value) ? [[name, value.value]] : []
    })
  )
