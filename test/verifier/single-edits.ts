/** All single edits of a value: one member removed, added or replaced. */
import type { Json } from "../../src/canonical/json.ts"

export interface SingleEdit {
  readonly change: string
  readonly changed: Json
}

export function* singleEditsOf(value: Json): Generator<SingleEdit> {
  for (const other of others) yield { change: `${JSON.stringify(other)} instead of it all`, changed: other }
  for (const path of pathsIn(value)) {
    const at = path.join(".")
    yield { change: `without ${at}`, changed: edited(value, path, (holder, last) => remove(holder, last)) }
    for (const other of [...others, ...similarTo(valueAt(value, path))]) {
      const changed = edited(value, path, (holder, last) => Object.assign(holder, { [last]: other }))
      yield { change: `${JSON.stringify(other)} at ${at}`, changed }
    }
  }
  for (const path of [[], ...pathsIn(value)]) {
    if (!isPlain(valueAt(value, path))) continue
    for (const member of ["extra", "toString", "__proto__"]) {
      const changed = JSON.parse(JSON.stringify(value)) as Json
      add(valueAt(changed, path) as object, member)
      yield { change: `${member} in ${path.join(".")}`, changed }
    }
  }
}

const others: ReadonlyArray<Json> = [null, 0, -1, 7, true, false, "", "x", "\u00e4", [], [null], {}, { x: 1 }]

/** Nearly valid values of the same type. */
const similarTo = (value: Json): ReadonlyArray<Json> => {
  if (typeof value === "number") return [String(value)]
  if (Array.isArray(value)) return value.length === 0 ? [] : [[...value, value[0]!], Array(101).fill(value[0]!)]
  if (typeof value !== "string") return []
  return [
    value.toUpperCase(),
    value.slice(0, -1),
    `${value}0`,
    `${value}\n`,
    ` ${value}`,
    value.replace(/^[a-z]+_/, "other_"),
    value.replace(/-\d\dT/, "-31T"),
    value.replace(/-\d\d-\d\dT/, "-02-30T"),
    value.replace(/T\d\d:/, "T24:"),
    value.replace(/:\d\d\./, ":60."),
    value.replace(/^\d{4}-/, "1969-"),
    value.replace(/Z$/, "+00:00")
  ].filter((other) => other !== value)
}

type Path = ReadonlyArray<string>

/** The items of a list have one schema, so only the first two are edited. */
const pathsIn = (value: Json): ReadonlyArray<Path> => {
  if (value === null || typeof value !== "object") return []
  const inner = Array.isArray(value) ? Object.entries(value.slice(0, 2)) : Object.entries(value)
  return inner.flatMap(([step, one]) => [[step], ...pathsIn(one).map((path) => [step, ...path])])
}

const valueAt = (value: Json, path: Path): Json =>
  path.reduce((place, step) => Reflect.get(Object(place), step) as Json, value)

const isPlain = (value: Json): boolean => value !== null && typeof value === "object" && !Array.isArray(value)

const edited = (value: Json, path: Path, edit: (holder: object, last: string) => void): Json => {
  const changed = structuredClone(value)
  edit(valueAt(changed, path.slice(0, -1)) as object, path.at(-1)!)
  return changed
}

const remove = (holder: object, last: string): void => {
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else Reflect.deleteProperty(holder, last)
}

/** Adds an own member, also under a name that is inherited. */
const add = (holder: object, member: string): void =>
  void Object.defineProperty(holder, member, { value: 1, enumerable: true, configurable: true, writable: true })
