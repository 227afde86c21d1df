/**
 * The strict JSON reader: one pass over the bytes, and one result for every reader of a file.
 *
 * `JSON.parse` keeps the last of two equal names, repairs broken UTF-8 and rounds numbers. Two programs that differ in
 * any of these read two different documents under one signature, so all of them are rejected here.
 */

import type { JsonErrorReason } from "./json-error-messages.ts"

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
  /** True for a value to be stored: databases reject U+0000 in a text. */
  readonly refusesNul?: boolean
  /** Members and elements in total, a bound for every later step. */
  readonly valuesMax?: number
}

export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: JsonRefusalCode; readonly fault: JsonErrorReason; readonly path: JsonPath }

/** The member names and indexes that lead to a value. */
export type JsonPath = ReadonlyArray<string | number>

/** The defaults of `JsonLimits`. The depth ceiling keeps the recursion inside the stack. */
export const jsonLimits = { bytesMax: 2_097_152, depthMax: 32, depthCeiling: 512 } as const

/**
 * Reads one JSON document: UTF-8 without a byte order mark, names unique in each object however they are escaped,
 * integers only and none beyond 2^53 - 1, no lone surrogate in a text. Never throws.
 *
 * A refusal carries the `path` of the offending value; that of the whole document is empty.
 */
export const readJson = (bytes: Uint8Array, limits: JsonLimits = {}): JsonReading => {
  const own = ownOf(limits)
  return read(cursorFor(own), bytes, own.bytesMax)
}

/**
 * Reads one JSON document and reports whether it is in canonical form (RFC 8785). If it is, `texts` holds the canonical
 * text of each member of the outermost object, in canonical order.
 */
export const readCanonicalJson = (bytes: Uint8Array, limits: JsonLimits = {}): CanonicalReading => {
  const own = ownOf(limits)
  const texts = new Map<string, string>()
  const cursor = cursorFor(own, texts)
  const reading = read(cursor, bytes, own.bytesMax)
  return reading.ok ? { ...reading, isCanonical: cursor.isCanonical, texts } : reading
}

export type CanonicalReading =
  | (JsonReading & { readonly ok: true; readonly isCanonical: boolean; readonly texts: ReadonlyMap<string, string> })
  | (JsonReading & { readonly ok: false })

/** Copies the limits, so that a polluted `Object.prototype` cannot lift one. */
const ownOf = (limits: JsonLimits): JsonLimits => {
  const own = { __proto__: null, ...limits }
  return own
}

const cursorFor = (limits: JsonLimits, texts?: Map<string, string>): Cursor => ({
  text: "",
  at: 0,
  path: [],
  depthMax: Math.min(limits.depthMax ?? jsonLimits.depthMax, jsonLimits.depthCeiling),
  refusesNul: limits.refusesNul ?? false,
  valuesLeft: limits.valuesMax ?? Number.POSITIVE_INFINITY,
  isCanonical: true,
  texts
})

const read = (cursor: Cursor, bytes: Uint8Array, bytesMax: number = jsonLimits.bytesMax): JsonReading => {
  try {
    cursor.text = decodeText(bytes, bytesMax)
    skipSpace(cursor)
    const value = readValue(cursor)
    skipSpace(cursor)
    if (cursor.at < cursor.text.length) refuse("INPUT_NOT_JSON", "END_EXPECTED")
    return { ok: true, value }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { ok: false, code: thrown.code, fault: thrown.fault, path: cursor.path }
  }
}

/** The state of the reader. `path` holds the names and indexes of the open containers. */
interface Cursor {
  text: string
  at: number
  readonly path: Array<string | number>
  readonly refusesNul: boolean
  valuesLeft: number
  readonly depthMax: number
  /**
   * False after anything that the canonical form writes differently: white space, a name out of order, or an escape that
   * is unnecessary or not the short one. Numbers have one spelling in any case.
   */
  isCanonical: boolean
  /** The members of the outermost object as written, where requested. */
  readonly texts: Map<string, string> | undefined
}

/** Carries a refusal up the recursion; it never leaves this file. */
class Refusal extends Error {
  readonly code: JsonRefusalCode
  readonly fault: JsonErrorReason
  constructor(code: JsonRefusalCode, fault: JsonErrorReason) {
    super(fault)
    this.code = code
    this.fault = fault
  }
}

const refuse = (code: JsonRefusalCode, fault: JsonErrorReason): never => {
  throw new Refusal(code, fault)
}

/** A byte order mark is kept, so that it is rejected here instead of being dropped silently. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decodeText = (bytes: Uint8Array, bytesMax: number): string => {
  if (!(bytes instanceof Uint8Array)) return refuse("INPUT_ENCODING", "NO_BYTES")
  if (bytes.length > bytesMax) return refuse("LIMIT_SIZE", "TOO_LONG")
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return refuse("INPUT_ENCODING", "NOT_UTF8")
  }
  if (text.charCodeAt(0) === 0xfeff) return refuse("INPUT_ENCODING", "BYTE_ORDER_MARK")
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
      return refuse("INPUT_NOT_JSON", "DOCUMENT_ENDS")
    default:
      return readNumber(cursor)
  }
}

const readWord = <Value extends Json>(cursor: Cursor, word: string, value: Value): Value => {
  if (!cursor.text.startsWith(word, cursor.at)) return refuse("INPUT_NOT_JSON", "VALUE_EXPECTED")
  cursor.at += word.length
  return value
}

const numberLexeme = /[-+.0-9][-+.0-9eE]*/y
const integerLexeme = /^(?:-?[1-9]\d{0,15}|0)$/

const readNumber = (cursor: Cursor): number => {
  numberLexeme.lastIndex = cursor.at
  const lexeme = numberLexeme.exec(cursor.text)?.[0]
  if (lexeme === undefined) return refuse("INPUT_NOT_JSON", "VALUE_EXPECTED")
  const value = integerLexeme.test(lexeme) ? Number(lexeme) : Number.NaN
  if (!Number.isSafeInteger(value)) return refuse("NUMBER_FORM", "NO_INTEGER")
  cursor.at += lexeme.length
  return value
}

const enter = (cursor: Cursor): void => {
  if (cursor.path.length >= cursor.depthMax) refuse("LIMIT_DEPTH", "TOO_DEEP")
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
    if (cursor.text[cursor.at] !== '"') refuse("INPUT_NOT_JSON", "NAME_EXPECTED")
    const name = readText(cursor)
    cursor.path[place] = name
    // JavaScript compares texts by UTF-16 code units, which is the order of the canonical form.
    if (before !== undefined && name < before) cursor.isCanonical = false
    before = name
    if (Object.hasOwn(members, name)) refuse("DUPLICATE_KEY", "MEMBER_TWICE")
    skipSpace(cursor)
    if (cursor.text[cursor.at] !== ":") refuse("INPUT_NOT_JSON", "COLON_EXPECTED")
    cursor.at++
    skipSpace(cursor)
    const start = cursor.at
    addMember(members, name, readValue(cursor))
    if (place === 0) cursor.texts?.set(name, cursor.text.slice(start, cursor.at))
    if (isLastOf(cursor, "}")) break
  }
  cursor.path.pop()
  return members
}

/** A plain assignment to an inherited name (`__proto__`) would call a setter instead of creating a member. */
const addMember = (members: { [member: string]: Json }, name: string, value: Json): void => {
  if (name in members) {
    const own = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(members, name, Object.assign(Object.create(null), own))
  } else {
    members[name] = value
  }
}

/** Skips the comma or the closing bracket after an element. */
const isLastOf = (cursor: Cursor, closing: "]" | "}"): boolean => {
  if (--cursor.valuesLeft < 0) refuse("LIMIT_SIZE", "TOO_MANY")
  skipSpace(cursor)
  const mark = cursor.text[cursor.at]
  if (mark !== "," && mark !== closing) refuse("INPUT_NOT_JSON", "COMMA_EXPECTED")
  cursor.at++
  if (mark === closing) return true
  skipSpace(cursor)
  return false
}

/** Everything but a quote, a backslash and the control characters. */
const plainText = /[ !#-[\]-\uffff]*/y

const readText = (cursor: Cursor): string => {
  const { text } = cursor
  const quote = cursor.at
  let at = quote + 1
  let isEscaped = false
  for (;;) {
    plainText.lastIndex = at
    plainText.test(text)
    at = plainText.lastIndex
    const code = text.charCodeAt(at)
    if (code === 0x22) break
    if (code === 0x5c) {
      cursor.at = at
      skipEscape(cursor)
      at = cursor.at
      isEscaped = true
    } else {
      refuse("INPUT_NOT_JSON", at < text.length ? "CONTROL_CHARACTER" : "TEXT_ENDLESS")
    }
  }
  cursor.at = at + 1
  if (!isEscaped) return text.slice(quote + 1, at)
  // Decoded in one step, once its form is checked: a text joined piece by piece costs forty bytes for each escape.
  const value: string = JSON.parse(text.slice(quote, cursor.at))
  // Only an escape can produce a lone surrogate: the bytes themselves were UTF-8.
  if (!value.isWellFormed()) refuse("INPUT_ENCODING", "HALF_PAIR")
  return value
}

const fourHex = /^[0-9a-fA-F]{4}$/
/** The characters that the canonical form writes with four digits: controls without a short escape. */
const canonicalHex = /^00(?:0[0-7bef]|1[0-9a-f])$/
const shortEscape = /^["\\/bfnrt]$/

const skipEscape = (cursor: Cursor): void => {
  const mark = cursor.text[cursor.at + 1] ?? ""
  if (mark === "u") {
    const digits = cursor.text.slice(cursor.at + 2, cursor.at + 6)
    if (!fourHex.test(digits)) refuse("INPUT_NOT_JSON", "HEX_EXPECTED")
    if (digits === "0000" && cursor.refusesNul) refuse("INPUT_ENCODING", "NUL")
    if (!canonicalHex.test(digits)) cursor.isCanonical = false
    cursor.at += 6
    return
  }
  if (!shortEscape.test(mark)) refuse("INPUT_NOT_JSON", "NO_ESCAPE")
  if (mark === "/") cursor.isCanonical = false
  cursor.at += 2
}
