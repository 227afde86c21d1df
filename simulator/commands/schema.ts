/** `simulate schema`: the JSON Schema of scripts, for editors. */
import * as fs from "node:fs"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { scriptJsonSchema } from "../scenario/format/json-schema.ts"
import { endWith, UNUSABLE } from "./exit.ts"

export const schema = Command.make(
  "schema",
  {
    out: Flag.String("out").pipe(
      Flag.withDescription("Write the schema to this file instead of standard output"),
      Flag.withMetavar("file"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ out }) {
    const text = JSON.stringify(scriptJsonSchema(), null, 2)
    if (Option.isNone(out)) return yield* Console.log(text)
    const written = Effect.try({ try: () => fs.writeFileSync(out.value, `${text}\n`), catch: String })
    yield* Effect.catch(written, (error) => endWith(UNUSABLE, `${out.value} cannot be written: ${error}`))
  })
).pipe(Command.withDescription("Print the JSON Schema of scripts, for validation and completion in editors"))
