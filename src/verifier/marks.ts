/**
 * Marks that have no shape of their own: controls, direction marks, zero-width and filler characters, line separators,
 * and spaces that are not the space. Printed raw they could hide, turn round or forge a line of a report.
 */
export const hiddenMarks = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu

/** For a person: `<U+202E>`. */
export const visible = (text: string): string => text.replace(hiddenMarks, (mark) => `<U+${hex(mark.codePointAt(0))}>`)

/** For a JSON text: the escapes of the mark's code units. */
export const jsonEscape = (mark: string): string =>
  Array.from({ length: mark.length }, (_, index) => `\\u${hex(mark.charCodeAt(index)).toLowerCase()}`).join("")

const hex = (code: number | undefined): string => (code ?? 0).toString(16).toUpperCase().padStart(4, "0")
