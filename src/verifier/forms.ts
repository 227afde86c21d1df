/**
 * The forms that members of a record take, and the few ways to put them together.
 *
 * A form names what does not fit; it never mends. An object has exactly the members of its form: a member that this
 * verifier does not know could change the meaning of those it knows.
 */
import { isDigest } from "../canonical/digest.ts"
import { type Json, readJson } from "../canonical/json.ts"
import type { Code } from "./codes.ts"
import { fail, type Failure, type Finding, pass } from "./ledger.ts"
import { knownWords, shownName, shownPath } from "./shown.ts"

export interface Form<T> {
  (value: Json, at: string): Failure | undefined
  /** Carries the type of what fits; never present at run time. */
  readonly fitting?: T
}

export type Fitting<F> = F extends Form<infer T> ? T : never

/** The one place where a value takes the type of the form it was found to fit. */
export const fit = <T>(form: Form<T>, value: Json, at = ""): Finding<T> => {
  const misfit = form(value, at)
  return misfit ?? pass(value as T)
}

/** Reads a file that has one form; what does not fit it has the code of that file. */
export const readForm = <T>(form: Form<T>, code: Code, bytes: Uint8Array, bytesMax: number): Finding<T> => {
  const reading = readJson(bytes, { bytesMax, refusesNul: true })
  if (!reading.ok) return fail(reading.code, shownPath(reading.path))
  const fitting = fit(form, reading.value)
  return fitting.ok ? fitting : { ...fitting, code }
}

const unless = <T>(holds: (value: Json) => boolean, expected: string, code: Code = "FIELD_TYPE"): Form<T> => {
  return (value, at) => (holds(value) ? undefined : fail(code, at, expected, value))
}

export const text: Form<string> = unless((value) => typeof value === "string", "TEXT")
export const name: Form<string> = unless((value) => typeof value === "string" && value !== "", "TEXT_NOT_EMPTY")
export const digest: Form<string> = unless(isDigest, "DIGEST", "DIGEST_FORM")
export const instant: Form<string> = unless(isInstant, "INSTANT")
export const anyValue: Form<Json> = () => undefined
export const anyObject: Form<{ [member: string]: Json }> = unless(isObject, "OBJECT")

export const integer = (min: number): Form<number> =>
  unless((value) => typeof value === "number" && value >= min, "INTEGER")

export const id = (kind: string): Form<string> => {
  const form = new RegExp(`^${kind}_[a-f0-9-]{36}$`)
  return unless((value) => typeof value === "string" && form.test(value), "ID")
}

export const word = <const W extends string | boolean>(...words: ReadonlyArray<W>): Form<W> => {
  for (const one of words) knownWords.add(`${one}`)
  return unless((value) => (words as ReadonlyArray<Json>).includes(value), "KNOWN_WORD")
}

/** A schema name of another version is a document this verifier must not interpret. */
export const version = <const S extends string>(schema: S): Form<S> => {
  knownWords.add(schema)
  return unless((value) => value === schema, schema, "VERSION")
}

/** One of two objects, told apart by the word in a member. */
export const either =
  <A, B>(member: string, told: string, one: Form<A>, other: Form<B>): Form<A | B> =>
  (value, at) =>
    (isObject(value) && Object.hasOwn(value, member) && value[member] === told ? one : other)(value, at)

export const orNull = <T>(form: Form<T>): Form<T | null> => {
  return (value, at) => (value === null ? undefined : form(value, at))
}

export const listOf = <T>(form: Form<T>, lengthMax = Number.POSITIVE_INFINITY): Form<ReadonlyArray<T>> => {
  return (value, at) => {
    if (!Array.isArray(value)) return fail("FIELD_TYPE", at, "LIST", value)
    if (value.length > lengthMax) return fail("LIMIT_SIZE", at, "SHORTER_LIST", value)
    for (const [index, item] of value.entries()) {
      const misfit = form(item, `${at}[${index}]`)
      if (misfit !== undefined) return misfit
    }
    return undefined
  }
}

type Members = Readonly<Record<string, Form<unknown>>>
export type Whole<M extends Members> = { readonly [K in keyof M]: Fitting<M[K]> }

/** An object with these members and no other; the optional ones may be absent, but are never null. */
export const object = <M extends Members, O extends Members = {}>(members: M, optional?: O) =>
  membersOf<M, O>(members, optional, false)

/** An object that may hold more than these members: its authors' own words. */
export const openObject = <M extends Members, O extends Members = {}>(members: M, optional?: O) =>
  membersOf<M, O>(members, optional, true)

const membersOf = <M extends Members, O extends Members>(
  members: M,
  optional: O | undefined,
  isOpen: boolean
): Form<Whole<M> & Partial<Whole<O>>> => {
  const required = Object.entries(members)
  for (const member of Object.keys({ ...members, ...optional })) knownWords.add(member)
  return (value, at) => {
    if (!isObject(value)) return fail("FIELD_TYPE", at, "OBJECT", value)
    const place = at === "" ? "" : `${at}.`
    for (const [member, form] of required) {
      if (!Object.hasOwn(value, member)) return fail("MISSING_MEMBER", place + member, "PRESENT")
      const misfit = form(value[member] as Json, place + member)
      if (misfit !== undefined) return misfit
    }
    const given = Object.keys(value)
    if (given.length === required.length) return undefined
    for (const member of given) {
      if (Object.hasOwn(members, member)) continue
      const form = optional !== undefined && Object.hasOwn(optional, member) ? optional[member] : undefined
      if (form === undefined && isOpen) continue
      if (form === undefined) return fail("UNKNOWN_MEMBER", place + shownName(member), "ABSENT")
      const misfit = form(value[member] as Json, place + member)
      if (misfit !== undefined) return misfit
    }
    return undefined
  }
}

export function isObject(value: Json): value is { [member: string]: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value)
}

const instantForm =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** True for an instant that prints back identically: no 30 February. Text order is the order of time. */
export function isInstant(value: unknown): value is string {
  if (typeof value !== "string" || !instantForm.test(value)) return false
  const isInEveryMonth = value.slice(8, 10) <= "28"
  return isInEveryMonth || new Date(Date.parse(value)).toISOString() === value
}
