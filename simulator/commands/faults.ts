/** `simulate faults`: the faults that a script can inject, with effect, syntax and an example scenario. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { faults as catalogue } from "../environment/faults/catalogue.ts"

export const faults = Command.make(
  "faults",
  { json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false)) },
  Effect.fn(function* ({ json }) {
    yield* Console.log(json ? asJson : asText)
  })
).pipe(Command.withDescription("List the faults that a script can inject: effect, syntax and an example scenario"))

const asJson = JSON.stringify(
  catalogue.map(({ name, what, written, scenario }) => ({ name, what, written, scenario })),
  null,
  2
)

const asText = catalogue
  .map(({ name, what, written, scenario }) => `${name}\n  ${what}\n  ${written}\n  shown in ${scenario}`)
  .join("\n\n")
