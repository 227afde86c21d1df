/** The error messages of the strict JSON reader. */
import type { JsonPath } from "./json.ts"

export const jsonErrorMessages = {
  END_EXPECTED: "text after the end of the document",
  NO_BYTES: "the document is not a sequence of bytes",
  TOO_LONG: "the document is too long",
  NOT_UTF8: "the document is not UTF-8",
  BYTE_ORDER_MARK: "the document begins with a byte order mark",
  DOCUMENT_ENDS: "the document ends where a value is expected",
  VALUE_EXPECTED: "a value is expected",
  NO_INTEGER: "a number is an integer between -(2^53 - 1) and 2^53 - 1",
  TOO_DEEP: "values are nested too deeply",
  NAME_EXPECTED: "a member name in quotes is expected",
  MEMBER_TWICE: "the object has this member twice",
  COLON_EXPECTED: "a colon is expected after a member name",
  TOO_MANY: "the document holds too many values",
  COMMA_EXPECTED: "a comma or the closing bracket is expected",
  CONTROL_CHARACTER: "a raw control character in a text",
  TEXT_ENDLESS: "an unterminated text",
  HALF_PAIR: "a lone surrogate in a text",
  HEX_EXPECTED: "\\u is followed by four hexadecimal digits",
  NUL: "U+0000 in a text",
  NO_ESCAPE: "an escape sequence that JSON does not define"
} as const

export type JsonErrorReason = keyof typeof jsonErrorMessages

/** `input.items[2].files[0].name`; empty for the whole document. */
export const printPath = (path: JsonPath): string =>
  path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`
      if (step.length > nameCharactersMax || !plainName.test(step)) {
        return `[${JSON.stringify(step.slice(0, nameCharactersMax).toWellFormed())}]`
      }
      return index === 0 ? step : `.${step}`
    })
    .join("")

const nameCharactersMax = 64
const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/
