/** The field of a form that takes the file of a Result Passport. */
import { Effect, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import { canonicalText } from "../../canonical/jcs.ts"
import { readJson } from "../../canonical/json.ts"
import { EnclosedPassport, type ResultPassport } from "../../publications/passport.ts"
import { limits } from "../../vocabulary/limits.ts"
import { fileField, hidden, type FormState } from "../kit/fields.ts"
import type { Content } from "../kit/html.ts"

const decode = Schema.decodeUnknownResult(EnclosedPassport)

/** The passport in the text of a file; undefined for any other text. */
export const readPassport = (text: string): ResultPassport | undefined => {
  const read = readJson(new TextEncoder().encode(text), {
    depthMax: limits.jsonDepth,
    refusesNul: true,
    valuesMax: limits.jsonValues
  })
  return read.ok ? Result.getOrUndefined(decode(read.value, { onExcessProperty: "error" })) : undefined
}

const noFile = "Choose the file passport.json."
const noPassport =
  "This file is not the passport.json of a Result Passport. If you have a passport.zip, unpack it and choose the passport.json in it."

const passportSchema = Schema.String.annotate({ message: noFile })
  .check(Schema.isMinLength(1, { message: noFile }))
  .pipe(
    Schema.decodeTo(Schema.toType(EnclosedPassport), {
      decode: SchemaGetter.transformEffect((text: string) => {
        const passport = readPassport(text)
        return passport === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: noPassport }))
          : Effect.succeed(passport)
      }),
      encode: SchemaGetter.transform((passport) => canonicalText(passport))
    }),
    Schema.annotateKey({ messageMissingKey: noFile })
  )

/** The file as a person chooses it. */
export const passportFile = (hint: string) => ({
  schema: passportSchema,
  control: (state: FormState, name: string): Content =>
    fileField(state, { name, label: "Result Passport, the file passport.json", hint, accept: ".json,application/json" })
})

/** The same passport, which a page passes on to its own next form. */
export const passedPassport = (text: string | undefined) => ({
  schema: passportSchema,
  control: (_: FormState, name: string): Content => (text === undefined ? null : hidden(name, text))
})
