/**
 * Schemas of the members of a record, and the combinators that compose them.
 *
 * A schema reports the first mismatch and never coerces. An object has exactly the members of its schema: a member that
 * this verifier does not know could change the meaning of those that it knows.
 */
import { isDigest } from "../canonical/digest.ts"
import { type Json, readJson } from "../canonical/json.ts"
import type { Code } from "./codes.ts"
import { fail, type Failure, type Finding, pass } from "./ledger.ts"
import { knownWords, printableName, printablePath } from "./printable.ts"

export interface Schema<T> {
  (value: Json, at: string): Failure | undefined
  /** Phantom member that carries the type of valid values; never present at run time. */
  readonly type?: T
}

export type SchemaType<F> = F extends Schema<infer T> ? T : never

/** The only place where a validated value is cast to the type of its schema. */
export const validate = <T>(form: Schema<T>, value: Json, at = ""): Finding<T> => {
  const mismatch = form(value, at)
  return mismatch ?? pass(value as T)
}

/** Parses a file of one schema; every mismatch has the code of that file. */
export const parseFile = <T>(form: Schema<T>, code: Code, bytes: Uint8Array, bytesMax: number): Finding<T> => {
  const reading = readJson(bytes, { bytesMax, refusesNul: true })
  if (!reading.ok) return fail(reading.code, printablePath(reading.path))
  const validation = validate(form, reading.value)
  return validation.ok ? validation : { ...validation, code }
}

const unless = <T>(holds: (value: Json) => boolean, expected: string, code: Code = "FIELD_TYPE"): Schema<T> => {
  return (value, at) => (holds(value) ? undefined : fail(code, at, expected, value))
}

export const text: Schema<string> = unless((value) => typeof value === "string", "TEXT")
export const name: Schema<string> = unless((value) => typeof value === "string" && value !== "", "TEXT_NOT_EMPTY")
export const digest: Schema<string> = unless(isDigest, "DIGEST", "DIGEST_FORM")
export const instant: Schema<string> = unless(isInstant, "INSTANT")
export const anyValue: Schema<Json> = () => undefined
export const anyObject: Schema<{ [member: string]: Json }> = unless(isObject, "OBJECT")

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Schema<number> =>
  unless((value) => typeof value === "number" && value >= min && value <= max, "INTEGER")

/** A text of this pattern. */
export const pattern = (pattern: RegExp, expected: string): Schema<string> =>
  unless((value) => typeof value === "string" && pattern.test(value), expected)

export const id = (kind: string): Schema<string> => {
  const prefix = `${kind}_`
  const isId = (value: Json) =>
    typeof value === "string" && value.startsWith(prefix) && uuidForm.test(value.slice(prefix.length))
  return unless(isId, "ID")
}

const uuidForm = /^[a-f0-9-]{36}$/

export const word = <const W extends string | boolean>(...words: ReadonlyArray<W>): Schema<W> => {
  for (const known of words) knownWords.add(`${known}`)
  return unless((value) => (words as ReadonlyArray<Json>).includes(value), "KNOWN_WORD")
}

/** This verifier must not interpret a document of another version. */
export const version = <const S extends string>(schema: S): Schema<S> => {
  knownWords.add(schema)
  return unless((value) => value === schema, schema, "VERSION")
}

/** A union of two objects, discriminated by the value of a member. */
export const union =
  <A, B>(member: string, discriminant: string, first: Schema<A>, second: Schema<B>): Schema<A | B> =>
  (value, at) =>
    (isObject(value) && Object.hasOwn(value, member) && value[member] === discriminant ? first : second)(value, at)

export const orNull = <T>(form: Schema<T>): Schema<T | null> => {
  return (value, at) => (value === null ? undefined : form(value, at))
}

export const listOf = <T>(form: Schema<T>, lengthMax = Number.POSITIVE_INFINITY): Schema<ReadonlyArray<T>> => {
  return (value, at) => {
    if (!Array.isArray(value)) return fail("FIELD_TYPE", at, "LIST", value)
    if (value.length > lengthMax) return fail("LIMIT_SIZE", at, "SHORTER_LIST", value)
    for (const [index, item] of value.entries()) {
      const mismatch = form(item, `${at}[${index}]`)
      if (mismatch !== undefined) return mismatch
    }
    return undefined
  }
}

type Members = Readonly<Record<string, Schema<unknown>>>
export type MemberTypes<M extends Members> = { readonly [K in keyof M]: SchemaType<M[K]> }

/** An object with these members and no other; the optional ones may be absent, but are never null. */
export const object = <M extends Members, O extends Members = {}>(members: M, optional?: O) =>
  membersOf<M, O>(members, optional, false)

/** An object that may hold further members, chosen by its authors. */
export const openObject = <M extends Members, O extends Members = {}>(members: M, optional?: O) =>
  membersOf<M, O>(members, optional, true)

const membersOf = <M extends Members, O extends Members>(
  members: M,
  optional: O | undefined,
  isOpen: boolean
): Schema<MemberTypes<M> & Partial<MemberTypes<O>>> => {
  const required = Object.entries(members)
  for (const member of Object.keys({ ...members, ...optional })) knownWords.add(member)
  return (value, at) => {
    if (!isObject(value)) return fail("FIELD_TYPE", at, "OBJECT", value)
    const prefix = at === "" ? "" : `${at}.`
    for (const [member, form] of required) {
      if (!Object.hasOwn(value, member)) return fail("MISSING_MEMBER", prefix + member, "PRESENT")
      const mismatch = form(value[member] as Json, prefix + member)
      if (mismatch !== undefined) return mismatch
    }
    const present = Object.keys(value)
    if (present.length === required.length) return undefined
    for (const member of present) {
      if (Object.hasOwn(members, member)) continue
      const form = optional !== undefined && Object.hasOwn(optional, member) ? optional[member] : undefined
      if (form === undefined && isOpen) continue
      if (form === undefined) return fail("UNKNOWN_MEMBER", prefix + printableName(member), "ABSENT")
      const mismatch = form(value[member] as Json, prefix + member)
      if (mismatch !== undefined) return mismatch
    }
    return undefined
  }
}

export function isObject(value: Json): value is { [member: string]: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value)
}

const instantForm =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** True for an instant that serializes back identically: no 30 February. Text order is chronological order. */
export function isInstant(value: unknown): value is string {
  if (typeof value !== "string" || !instantForm.test(value)) return false
  const isInEveryMonth = value.slice(8, 10) <= "28"
  return isInEveryMonth || new Date(Date.parse(value)).toISOString() === value
}
