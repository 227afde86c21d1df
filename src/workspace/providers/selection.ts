/** The results that a visitor ticks, as values of the boxes: each names the publication and the summary that was shown. */
import { Effect, Schema, SchemaGetter } from "effect"
import { passportFormats, type Selection } from "../../publications/passport.ts"
import { Digest, idOf } from "../../vocabulary/ids.ts"
import { limits } from "../../vocabulary/limits.ts"
import { oneOf } from "../kit/form-values.ts"

export const selectionValue = ({ publicationId, publicationDigest }: Selection): string =>
  `${publicationId}.${publicationDigest}`

const selectionOf = (value: string): Selection => {
  const point = value.indexOf(".")
  return { publicationId: value.slice(0, point), publicationDigest: value.slice(point + 1) }
}

const Selections = Schema.Array(Schema.Struct({ publicationId: idOf("pub"), publicationDigest: Digest })).check(
  Schema.isMinLength(limits.passportSelectionMin, { message: "Select at least one result." }),
  Schema.isMaxLength(limits.passportSelectionMax, {
    message: `Select at most ${limits.passportSelectionMax} results: a file takes no more.`
  })
)

export const selectionSchema = Schema.Struct({
  selection: Schema.Union([Schema.String, Schema.Array(Schema.String)]).pipe(
    Schema.decodeTo(Selections, {
      decode: SchemaGetter.transform((sent) => (typeof sent === "string" ? [sent] : sent).map(selectionOf)),
      encode: SchemaGetter.transform((selections) => selections.map(selectionValue))
    }),
    Schema.withDecodingDefaultKey(Effect.succeed([]))
  ),
  format: oneOf("the file", passportFormats)
})
