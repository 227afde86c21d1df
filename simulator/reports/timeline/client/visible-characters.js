// @ts-check
/** Invisible and bidirectional control characters are shown by code, so that they cannot hide or forge text. */
import { invisibleCharacters } from "../../../../src/canonical/visible-characters.ts"

/** @param {string} text */
export const visible = (text) =>
  text.replace(invisibleCharacters, (mark) => (mark === "\n" ? mark : `‹U+${hexOf(mark.codePointAt(0) ?? 0)}›`))

/** @param {number} code */
const hexOf = (code) => code.toString(16).toUpperCase().padStart(4, "0")
