// @ts-check
/** Characters that have no shape of their own are named, so that none hides, turns round or forges what is read. */
import { hiddenMarks } from "../../../src/canonical/visible.ts"

/** @param {string} text */
export const visible = (text) =>
  text.replace(hiddenMarks, (mark) => (mark === "\n" ? mark : `‹U+${hexOf(mark.codePointAt(0) ?? 0)}›`))

/** @param {number} code */
const hexOf = (code) => code.toString(16).toUpperCase().padStart(4, "0")
