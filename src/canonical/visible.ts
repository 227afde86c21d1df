/**
 * Characters without a visible shape, and their names: controls, direction marks, zero-width and filler characters, line
 * separators, blanks, and spaces other than U+0020. Shown raw, they could hide, reorder or forge text; the verifier's
 * report and the pages of the workspace replace the same ones.
 */
export const hiddenMarks = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/** One of these or the space, as a character class of a pattern. */
export const invisible = String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]`

/** True where at least one character is visible. */
export const showsSomething = (text: string): boolean => text.replace(hiddenMarks, "").trim() !== ""

/** `U+202E` */
export const nameOfMark = (mark: string): string => `U+${hexOf(mark.codePointAt(0) ?? 0)}`

/** A code point or code unit in at least four upper-case hexadecimal digits. */
export const hexOf = (code: number): string => code.toString(16).toUpperCase().padStart(4, "0")
