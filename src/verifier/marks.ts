/** How a report writes the characters that have no shape of their own. */
import { hexOf, hiddenMarks, nameOfMark } from "../canonical/visible.ts"

/** For a person: `<U+202E>`. */
export const visible = (text: string): string => text.replace(hiddenMarks, (mark) => `<${nameOfMark(mark)}>`)

/** A JSON text on lines of its own, every other mark as the escapes of its code units. */
export const visibleJson = (text: string): string =>
  text.replace(hiddenMarks, (mark) => (mark === "\n" ? mark : jsonEscape(mark)))

const jsonEscape = (mark: string): string =>
  Array.from({ length: mark.length }, (_, index) => `\\u${hexOf(mark.charCodeAt(index)).toLowerCase()}`).join("")
