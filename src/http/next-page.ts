/** The cursor of a list: `next` of one page is sent as `after` for the page after it. */
import { Schema } from "effect"

export const nextPage = Schema.NullOr(Schema.String).annotateKey({
  description: "The `after` of the next page; null on the last one."
})
