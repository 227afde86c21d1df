/**
 * Characters without a visible shape, and their names: controls, direction marks, zero-width and filler characters, line
 * separators, blanks, and spaces other than U+0020. Shown raw, they could hide, reorder or forge text; the verifier's
 * report and the pages of the workspace replace the same ones.
 */
export const invisibleCharacters =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/** One of these or the space, as a character class of a pattern. */
export const invisibleClass = String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]`

/** True where at least one character is visible. */
export const hasVisibleCharacter = (text: string): boolean => text.replace(invisibleCharacters, "").trim() !== ""

/** `U+202E` */
export const codePointName = (mark: string): string => `U+${codePointHex(mark.codePointAt(0) ?? 0)}`

/** Replaces invisible characters by `‹U+202E›`; alone where no element isolates the text, as in a title. */
export const visible = (text: string): string => text.replace(invisibleCharacters, (mark) => `‹${codePointName(mark)}›`)

/** One line of another party's text: its invisible characters replaced, and `(blank)` where it is empty or only spaces. */
export const visibleLine = (text: string): string => visible(/^ *$/.test(text) ? "(blank)" : text)

/** A code point or code unit in at least four upper-case hexadecimal digits. */
export const codePointHex = (code: number): string => code.toString(16).toUpperCase().padStart(4, "0")
