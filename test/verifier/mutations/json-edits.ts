/** Edits of JSON values and JSON texts, as by an attacker or by accident. */
import type { Members } from "../signing.ts"
import { canary } from "./base-sample.ts"
import type { Choices } from "./choices.ts"

/** A copy of the value with one edit. */
export const editValue = (value: unknown, choices: Choices): unknown => {
  const whole = { value: structuredClone(value) }
  const places = placesIn(whole)
  const place = choices.oneOf(places)
  choices.oneOf(valueEdits)(place, choices, places)
  return whole.value
}

/** A member or an element, with the object or list that holds it. */
interface Place {
  readonly holder: Members
  readonly name: string
}

/** The outermost value comes first, in a holder of its own. */
const placesIn = (holder: Members, found: Array<Place> = []): ReadonlyArray<Place> => {
  for (const name of Object.keys(holder)) {
    found.push({ holder, name })
    const value: unknown = holder[name]
    if (value !== null && typeof value === "object") placesIn(value, found)
  }
  return found
}

type ValueEdit = (place: Place, choices: Choices, places: ReadonlyArray<Place>) => void

const put = ({ holder, name }: Place, value: unknown): void =>
  void Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })

const drop = ({ holder, name }: Place): void => {
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else Reflect.deleteProperty(holder, name)
}

const names = ["__proto__", "constructor", "toString", "", canary, "schema", "issuedAt", "signature", "trust", "kid"]

const values: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1,
  101,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  1.5,
  1e300,
  "",
  canary,
  "a.b.c",
  "EdDSA",
  "2026-11-21T09:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "2026-02-30T09:00:00.000Z",
  "0".repeat(64),
  "person_00000000-0000-4000-8000-000000000002",
  "BUYER_CONFIRMED",
  "\u202e\u0000\n",
  [],
  {},
  [[]],
  [canary]
]

const nested = (depth: number): unknown => {
  let value: unknown = canary
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { deeper: value }
  return value
}

/** A value of the same format from elsewhere: a check detects it only by comparison with other values. */
const likeForLike: ValueEdit = (place, choices, places) => {
  const form = formOf(place)
  put(place, structuredClone(choices.oneOf(places.filter((other) => formOf(other) === form).map(valueAt))))
}

const valueAt = ({ holder, name }: Place): unknown => holder[name]

const formOf = (place: Place): string => {
  const value = valueAt(place)
  return typeof value === "string" ? value.replace(/[0-9a-f]/g, "0").slice(0, 40) : typeof value
}

const valueEdits: ReadonlyArray<ValueEdit> = [
  likeForLike,
  likeForLike,
  likeForLike,
  (place) => drop(place),
  (place, choices) => put(place, choices.oneOf(values)),
  (place, choices) => put(place, structuredClone(choices.oneOf(values))),
  (place, choices) => put(place, nested(choices.oneOf([2, 31, 40, 3000]))),
  (place, choices) => {
    const value = valueAt(place)
    drop(place)
    put({ holder: place.holder, name: choices.oneOf(names) }, value)
  },
  (place, choices) => put({ holder: place.holder, name: choices.oneOf(names) }, choices.oneOf(values)),
  (place, choices, places) => {
    const other = choices.oneOf(places)
    const [one, two] = [place, other].map((one) => structuredClone(valueAt(one)))
    put(place, two)
    put(other, one)
  },
  (place, choices, places) => {
    put(place, structuredClone(valueAt(choices.oneOf(places))))
  },
  (place, choices) => {
    const value = valueAt(place)
    if (typeof value === "string") put(place, editText(value, choices))
    else if (typeof value === "number") put(place, value + choices.oneOf([-1, 1, 0.5, 1000]))
    else if (Array.isArray(value)) choices.oneOf(listEdits)(value, choices)
    else put(place, [value])
  }
]

const listEdits: ReadonlyArray<(list: Array<unknown>, choices: Choices) => void> = [
  (list) => void list.reverse(),
  (list) => void list.push(structuredClone(list[0])),
  (list) => void list.splice(0, 1),
  (list) => void list.pop(),
  (list, choices) => void list.splice(0, 0, ...list.splice(choices.below(list.length + 1), 1))
]

const editText = (text: string, choices: Choices): string => {
  const at = choices.below(text.length + 1)
  const character = choices.oneOf(["0", "f", "A", "_", "-", ".", "=", " ", "\n", "\u0000", "\u202e", "\ud800", "é"])
  return choices.oneOf([
    `${text.slice(0, at)}${character}${text.slice(at + 1)}`,
    `${text.slice(0, at)}${character}${text.slice(at)}`,
    `${text.slice(0, at)}${text.slice(at + 1)}`,
    text.slice(0, at),
    text.toUpperCase(),
    text + text,
    text.normalize("NFD"),
    ` ${text}`
  ])
}

/** Edits a JSON text so that parsers accept it, or differ about it. */
export const editJsonText = (text: string, choices: Choices): string => choices.oneOf(textEdits)(text, choices)

/** Replaces one of the matches. */
const at = (text: string, pattern: RegExp, choices: Choices, change: (found: string) => string): string => {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return `${text} `
  const { 0: match, index } = choices.oneOf(found)
  return text.slice(0, index) + change(match) + text.slice(index + match.length)
}

const memberName = /"[A-Za-z]+":/g

const textEdits: ReadonlyArray<(text: string, choices: Choices) => string> = [
  (text, choices) => at(text, memberName, choices, (name) => `${name}null,${name}`),
  (text, choices) => at(text, memberName, choices, (name) => `${name}"${canary}","\\u00${hexOf(name)}${name.slice(2)}`),
  (text, choices) => at(text, memberName, choices, (name) => `"${canary}":[1.0],${name}`),
  (text, choices) => at(text, memberName, choices, (name) => `"__proto__":{"schema":null},${name}`),
  (text, choices) =>
    at(text, /:(?:\d+|null|"[^"]{0,40}")/g, choices, () =>
      choices.oneOf([":1.0", ":-0", ":1e400", ":01", ":9007199254740993", ":NaN", ':"\\ud800"', ':"\\u0000"', ":'a'"])
    ),
  (text, choices) => at(text, /[{}[\],:]/g, choices, (mark) => choices.oneOf(["", mark + mark, " \n\t", "/**/", "\0"])),
  (text, choices) => choices.oneOf(["\ufeff", " ", "\n", "[", "{", "null", "//\n"]) + text,
  (text, choices) => text + choices.oneOf([" ", "\n", "\r\n", "\0", "]", "}", ",", text, "\u00a0"]),
  (text, choices) => at(text, /"[^"]{1,9}"/g, choices, (found) => found.replaceAll("a", "\\u0061"))
]

const hexOf = (name: string): string => name.charCodeAt(1).toString(16)
