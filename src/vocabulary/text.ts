/** Free text on the wire: present, bounded. */
import { Schema } from "effect"

/** 1 to `characters` characters (UTF-16 code units, as every JSON reader counts them). */
export const textUpTo = (characters: number) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(characters))

/** The same, or empty. */
export const optionalTextUpTo = (characters: number) => Schema.String.check(Schema.isMaxLength(characters))
