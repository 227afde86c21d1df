/** Free text on the wire: present, bounded. */
import { Schema } from "effect"
import { hasVisibleCharacter } from "../canonical/visible-characters.ts"
import { limits } from "./limits.ts"

/** 1 to `characters` characters (UTF-16 code units, as every JSON reader counts them). */
export const textUpTo = (characters: number) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(characters))

/** A text of 1 to `characters` characters with at least one visible character: a text that is shown to the public. */
export const visibleTextUpTo = (characters: number) =>
  textUpTo(characters).check(
    Schema.makeFilter(hasVisibleCharacter, { message: "Expected at least one visible character" })
  )

/** A text of up to `characters` characters, which may be empty. */
export const optionalTextUpTo = (characters: number) => Schema.String.check(Schema.isMaxLength(characters))

/** A name or a short identification. */
export const Title = textUpTo(limits.titleCharacters)
/** A text of some paragraphs. */
export const Text = textUpTo(limits.textCharacters)
/** The longest texts of an agreement. */
export const LongText = textUpTo(limits.scopeCharacters)
