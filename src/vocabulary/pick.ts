/** Views that only pick members: the response schema is the list of what a caller sees. */
import type { Schema } from "effect"

/** Picks the members that a response schema names; the row behind it may have more. */
export const pick =
  <F extends Schema.Struct.Fields>({ fields }: Schema.Struct<F>) =>
  (row: Schema.Struct.Type<F>): Schema.Struct.Type<F> =>
    Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(fields, name))) as Schema.Struct.Type<F>
