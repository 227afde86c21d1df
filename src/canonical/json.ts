/**
 * The strict JSON reader: one pass over the bytes, one answer for every reader of the same file.
 *
 * `JSON.parse` keeps the last of two equal names, mends broken UTF-8 and rounds numbers. Two programs that disagree on
 * any of these read two different documents under one signature, so everything they could disagree on is refused here.
 */

export type Json = null | boolean | number | string | Array<Json> | { [member: string]: Json }

export type JsonRefusalCode =
  | "INPUT_ENCODING"
  | "INPUT_NOT_JSON"
  | "DUPLICATE_KEY"
  | "NUMBER_FORM"
  | "LIMIT_DEPTH"
  | "LIMIT_SIZE"

export interface JsonLimits {
  readonly bytesMax?: number
  readonly depthMax?: number
  /** True for what will be stored: no database keeps U+0000 in a text. */
  readonly refusesNul?: boolean
  /** Members and elements in all, so that no later step meets more of them. */
  readonly valuesMax?: number
}

export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: JsonRefusalCode; readonly message: string; readonly path: string }

/** What applies where the caller names no limit of its own. The depth ceiling keeps the recursion inside the stack. */
export const jsonLimits = { bytesMax: 2_097_152, depthMax: 32, depthCeiling: 512, pathNameMax: 64 } as const

/**
 * Reads one JSON document: UTF-8 without a byte order mark, names unique in each object however they are written,
 * integers only and none beyond 2^53 - 1, no lone surrogate in a text. Never throws.
 *
 * A refusal carries the `path` of the value it met, as `input.items[2].files[0].name`; the document itself is `""`.
 */
export const readJson = (bytes: Uint8Array, limits: JsonLimits = {}): JsonReading => {
  const cursor = cursorFor(limits)
  return read(cursor, bytes, limits.bytesMax)
}

/**
 * Reads one JSON document and says whether it is its own canonical form (RFC 8785). If it is, `texts` holds the
 * canonical text of each member of the outermost object, in canonical order.
 */
export const readCanonicalJson = (bytes: Uint8Array, limits: JsonLimits = {}): CanonicalReading => {
  const cursor = cursorFor(limits)
  const reading = read(cursor, bytes, limits.bytesMax)
  return reading.ok ? { ...reading, isCanonical: cursor.isCanonical, texts: cursor.texts } : reading
}

export type CanonicalReading =
  | (JsonReading & { readonly ok: true; readonly isCanonical: boolean; readonly texts: ReadonlyMap<string, string> })
  | (JsonReading & { readonly ok: false })

const cursorFor = (limits: JsonLimits): Cursor => ({
  text: "",
  at: 0,
  path: [],
  depthMax: Math.min(limits.depthMax ?? jsonLimits.depthMax, jsonLimits.depthCeiling),
  refusesNul: limits.refusesNul ?? false,
  valuesLeft: limits.valuesMax ?? Number.POSITIVE_INFINITY,
  isCanonical: true,
  texts: new Map()
})

const read = (cursor: Cursor, bytes: Uint8Array, bytesMax: number = jsonLimits.bytesMax): JsonReading => {
  try {
    cursor.text = decodeText(bytes, bytesMax)
    skipSpace(cursor)
    const value = readValue(cursor)
    skipSpace(cursor)
    if (cursor.at < cursor.text.length) refuse("INPUT_NOT_JSON", "something follows the end of the document")
    return { ok: true, value }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { ok: false, code: thrown.code, message: thrown.message, path: printPath(cursor.path) }
  }
}

/** Where the reader stands. `path` holds the names and indexes of the containers that are open. */
interface Cursor {
  text: string
  at: number
  readonly path: Array<string | number>
  readonly refusesNul: boolean
  valuesLeft: number
  readonly depthMax: number
  /**
   * False once something was met that the canonical form writes in another way: white space, a name before its turn, or
   * an escape that is not needed or not the short one. Numbers have one spelling here in any case.
   */
  isCanonical: boolean
  /** The members of the outermost object, as they were written. */
  readonly texts: Map<string, string>
}

/** Carries a refusal from the depth of the document to its reader; it never leaves this file. */
class Refusal extends Error {
  readonly code: JsonRefusalCode
  constructor(code: JsonRefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

const refuse = (code: JsonRefusalCode, message: string): never => {
  throw new Refusal(code, message)
}

/** A byte order mark is kept, so that it is refused here instead of being dropped in silence. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decodeText = (bytes: Uint8Array, bytesMax: number): string => {
  if (!(bytes instanceof Uint8Array)) return refuse("INPUT_ENCODING", "the document is not a sequence of bytes")
  if (bytes.length > bytesMax) return refuse("LIMIT_SIZE", `the document is longer than ${bytesMax} bytes`)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return refuse("INPUT_ENCODING", "the document is not UTF-8")
  }
  if (text.charCodeAt(0) === 0xfeff) return refuse("INPUT_ENCODING", "the document begins with a byte order mark")
  return text
}

const skipSpace = (cursor: Cursor): void => {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    cursor.at++
    cursor.isCanonical = false
  }
}

const readValue = (cursor: Cursor): Json => {
  switch (cursor.text[cursor.at]) {
    case "{":
      return readObject(cursor)
    case "[":
      return readArray(cursor)
    case '"':
      return readText(cursor)
    case "t":
      return readWord(cursor, "true", true)
    case "f":
      return readWord(cursor, "false", false)
    case "n":
      return readWord(cursor, "null", null)
    case undefined:
      return refuse("INPUT_NOT_JSON", "the document ends where a value is expected")
    default:
      return readNumber(cursor)
  }
}

const readWord = <Value extends Json>(cursor: Cursor, word: string, value: Value): Value => {
  if (!cursor.text.startsWith(word, cursor.at)) return refuse("INPUT_NOT_JSON", "a value is expected")
  cursor.at += word.length
  return value
}

const numberLexeme = /[-+0-9.eE]+/y
const integerLexeme = /^(?:-?[1-9]\d{0,15}|0)$/

const readNumber = (cursor: Cursor): number => {
  numberLexeme.lastIndex = cursor.at
  const lexeme = numberLexeme.exec(cursor.text)?.[0]
  if (lexeme === undefined) return refuse("INPUT_NOT_JSON", "a value is expected")
  const value = integerLexeme.test(lexeme) ? Number(lexeme) : Number.NaN
  if (!Number.isSafeInteger(value))
    return refuse("NUMBER_FORM", "a number is an integer between -(2^53 - 1) and 2^53 - 1")
  cursor.at += lexeme.length
  return value
}

const enter = (cursor: Cursor): void => {
  if (cursor.path.length >= cursor.depthMax) refuse("LIMIT_DEPTH", `values are nested deeper than ${cursor.depthMax}`)
  cursor.at++
  skipSpace(cursor)
}

const readArray = (cursor: Cursor): Array<Json> => {
  enter(cursor)
  const values: Array<Json> = []
  if (cursor.text[cursor.at] === "]") {
    cursor.at++
    return values
  }
  const place = cursor.path.push(0) - 1
  for (;;) {
    cursor.path[place] = values.length
    values.push(readValue(cursor))
    if (isLastOf(cursor, "]")) break
  }
  cursor.path.pop()
  return values
}

const readObject = (cursor: Cursor): { [member: string]: Json } => {
  enter(cursor)
  const members: { [member: string]: Json } = {}
  if (cursor.text[cursor.at] === "}") {
    cursor.at++
    return members
  }
  const place = cursor.path.push("") - 1
  let before: string | undefined
  for (;;) {
    if (cursor.text[cursor.at] !== '"') refuse("INPUT_NOT_JSON", "a member name in quotes is expected")
    const name = readText(cursor)
    cursor.path[place] = name
    // Texts compare by their UTF-16 code units, which is the order of the canonical form.
    if (before !== undefined && name < before) cursor.isCanonical = false
    before = name
    if (Object.hasOwn(members, name)) refuse("DUPLICATE_KEY", "the object has this member twice")
    skipSpace(cursor)
    if (cursor.text[cursor.at] !== ":") refuse("INPUT_NOT_JSON", "a colon is expected after a member name")
    cursor.at++
    skipSpace(cursor)
    const start = cursor.at
    addMember(members, name, readValue(cursor))
    if (place === 0) cursor.texts.set(name, cursor.text.slice(start, cursor.at))
    if (isLastOf(cursor, "}")) break
  }
  cursor.path.pop()
  return members
}

/** A plain assignment to an inherited name (`__proto__`) would run a setter instead of making a member. */
const addMember = (members: { [member: string]: Json }, name: string, value: Json): void => {
  if (name in members) {
    Object.defineProperty(members, name, {
      ...Object.create(null),
      value,
      enumerable: true,
      configurable: true,
      writable: true
    })
  } else {
    members[name] = value
  }
}

/** Steps over the comma or the closing mark behind an element. */
const isLastOf = (cursor: Cursor, closing: "]" | "}"): boolean => {
  if (--cursor.valuesLeft < 0) refuse("LIMIT_SIZE", "the document holds too many values")
  skipSpace(cursor)
  const mark = cursor.text[cursor.at]
  if (mark !== "," && mark !== closing) refuse("INPUT_NOT_JSON", `a comma or ${closing} is expected`)
  cursor.at++
  if (mark === closing) return true
  skipSpace(cursor)
  return false
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t"
}
const fourHex = /^[0-9a-fA-F]{4}$/

const readText = (cursor: Cursor): string => {
  const { text } = cursor
  const quote = cursor.at
  let at = quote + 1
  let start = at
  let value = ""
  let isEscaped = false
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 0x22) break
    if (code === 0x5c) {
      cursor.at = at
      value += text.slice(start, at) + readEscape(cursor)
      start = at = cursor.at
      isEscaped = true
    } else if (code >= 0x20) {
      at++
    } else {
      refuse("INPUT_NOT_JSON", at < text.length ? "a raw control character in a text" : "a text has no end")
    }
  }
  value += text.slice(start, at)
  cursor.at = at + 1
  if (isEscaped) {
    // Only an escape can make half a pair: the bytes themselves were UTF-8.
    if (!value.isWellFormed()) refuse("INPUT_ENCODING", "half of a surrogate pair stands alone in a text")
    if (JSON.stringify(value) !== text.slice(quote, cursor.at)) cursor.isCanonical = false
  }
  return value
}

const readEscape = (cursor: Cursor): string => {
  const mark = cursor.text[cursor.at + 1] ?? ""
  if (mark === "u") {
    const digits = cursor.text.slice(cursor.at + 2, cursor.at + 6)
    if (!fourHex.test(digits)) refuse("INPUT_NOT_JSON", "\\u is followed by four hexadecimal digits")
    if (digits === "0000" && cursor.refusesNul) refuse("INPUT_ENCODING", "U+0000 in a text")
    cursor.at += 6
    return String.fromCharCode(Number.parseInt(digits, 16))
  }
  if (!Object.hasOwn(escapes, mark)) refuse("INPUT_NOT_JSON", "an escape that JSON does not have")
  cursor.at += 2
  return escapes[mark] as string
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

const printPath = (path: ReadonlyArray<string | number>): string =>
  path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`
      if (step.length > jsonLimits.pathNameMax || !plainName.test(step)) {
        return `[${JSON.stringify(step.slice(0, jsonLimits.pathNameMax).toWellFormed())}]`
      }
      return index === 0 ? step : `.${step}`
    })
    .join("")
