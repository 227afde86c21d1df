/** `simulate schema`: the JSON Schema of scripts, for editors. */
import * as fs from "node:fs"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { lessonJsonSchema, personaJsonSchema } from "../examination/json-schema.ts"
import { scriptJsonSchema } from "../scenario/format/json-schema.ts"
import { endWith, UNUSABLE } from "./exit.ts"

export const schema = Command.make(
  "schema",
  {
    lessons: Flag.Boolean("lessons").pipe(
      Flag.withDescription("The schema of lessons instead of that of scripts"),
      Flag.withDefault(false)
    ),
    personas: Flag.Boolean("personas").pipe(
      Flag.withDescription("The schema of personas instead of that of scripts"),
      Flag.withDefault(false)
    ),
    out: Flag.String("out").pipe(
      Flag.withDescription("Write the schema to this file instead of standard output"),
      Flag.withMetavar("file"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ lessons, personas, out }) {
    if (lessons && personas)
      return yield* endWith(UNUSABLE, "--lessons and --personas are two schemas: give one of them")
    const schema = lessons ? lessonJsonSchema() : personas ? personaJsonSchema() : scriptJsonSchema()
    const text = JSON.stringify(schema, null, 2)
    if (Option.isNone(out)) return yield* Console.log(text)
    const written = Effect.try({ try: () => fs.writeFileSync(out.value, `${text}\n`), catch: String })
    yield* Effect.catch(written, (error) => endWith(UNUSABLE, `${out.value} cannot be written: ${error}`))
  })
).pipe(Command.withDescription("Print the JSON Schema of scripts, for validation and completion in editors"))
