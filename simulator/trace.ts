/**
 * The trace of a run: NDJSON, one canonical line for each observation. It names people, agents and moments of virtual
 * time, and holds no fiber ids, no wall time and no secret; the same seed gives the same bytes on any machine and on
 * either store. An event of a project stands in it whole once; wherever an answer shows it again, its hash stands for it.
 */
import { canonicalText } from "../src/canonical/jcs.ts"
import type { Observed } from "./observation.ts"
import { isObject, type Json, type JsonObject } from "./script/json.ts"

export const traceFormat = "countersign.trace/v1"

export const renderTrace = (observations: ReadonlyArray<Observed>, redact: (text: string) => string): string => {
  const shown: Shown = new Map()
  return observations.map((observed) => `${redact(canonicalText(foldEvents(lineOf(observed), shown)))}\n`).join("")
}

const lineOf = ({ ofStep: _step, ofRequest: _request, ofProject: _project, ...observed }: Observed) =>
  observed.kind === "scenario" ? { format: traceFormat, ...observed } : { ...observed }

/** The lines of a trace with every event whole again. */
export const readTrace = (text: string): ReadonlyArray<JsonObject> => {
  const shown: Shown = new Map()
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => unfoldEvents(JSON.parse(line) as JsonObject, shown))
}

/** Events by their hashes, as they stand in the trace. */
type Shown = Map<string, Json>

/** Only an event that is shown again exactly as before gives way to its hash. */
const foldEvents = <Line extends object>(line: Line, shown: Shown): Line =>
  withEvents(line, (event) => {
    const hash = isObject(event) ? event["hash"] : undefined
    if (typeof hash !== "string") return event
    const before = shown.get(hash)
    if (before === undefined) shown.set(hash, event)
    return before !== undefined && canonicalText(before) === canonicalText(event) ? hash : event
  })

const unfoldEvents = (line: JsonObject, shown: Shown): JsonObject =>
  withEvents(line, (event) => {
    if (typeof event === "string") return shown.get(event) ?? event
    const hash = isObject(event) ? event["hash"] : undefined
    if (typeof hash === "string" && !shown.has(hash)) shown.set(hash, event)
    return event
  })

const withEvents = <Line extends object>(line: Line, change: (event: Json) => Json): Line => {
  const body = "body" in line ? (line.body as Json | undefined) : undefined
  const project = isObject(body) ? body["project"] : undefined
  const events = isObject(project) ? project["events"] : undefined
  if (!isObject(body) || !isObject(project) || !Array.isArray(events)) return line
  return { ...line, body: { ...body, project: { ...project, events: events.map(change) } } }
}

/**
 * Where two traces part first, for a reader: two lines that both tell, the event of each side, and each member in which
 * they differ. Undefined where they are equal to the byte. `names` are what the sides are called.
 */
export const firstDifference = (
  one: string,
  other: string,
  names: readonly [one: string, other: string] = ["one", "other"]
): string | undefined => {
  const index = lineOfDifference(one, other)
  if (index === undefined) return undefined
  const [lines, others] = [linesOf(one), linesOf(other)]
  const [left, right] = [parse(lines[index]), parse(others[index])]
  const width = Math.max(...names.map((name) => name.length)) + 1
  return [
    `the traces part at line ${index + 1} of ${lines.length} and ${others.length}`,
    ...lines.slice(Math.max(index - 2, 0), index).map((line) => `  ${" ".repeat(width)} ${nameOf(parse(line))}`),
    `  ${`${names[0]}:`.padEnd(width)} ${nameOf(left)}`,
    `  ${`${names[1]}:`.padEnd(width)} ${nameOf(right)}`,
    ...membersApart(left, right)
  ].join("\n")
}

/** The first line, from 0, that is not the same to the byte. */
export const lineOfDifference = (one: string, other: string): number | undefined => {
  if (one === other) return undefined
  const [lines, others] = [one.split("\n"), other.split("\n")]
  return lines.length >= others.length
    ? lines.findIndex((line, index) => line !== others[index])
    : others.findIndex((line, index) => line !== lines[index])
}

const linesOf = (text: string): ReadonlyArray<string> => text.replace(/\n$/, "").split("\n")

/** A committed file may hold anything, the marks of a merge for one: then the line speaks for itself. */
const parse = (line: string | undefined): Json | undefined => {
  if (line === undefined || line === "") return undefined
  try {
    return JSON.parse(line) as Json
  } catch {
    return line
  }
}

/** What an event is, in the words of the trace: its members that fit on one line. */
const nameOf = (line: Json | undefined): string => {
  if (line === undefined) return "the end"
  if (!isObject(line)) return cut(JSON.stringify(line))
  const writes = Array.isArray(line["writes"]) ? line["writes"] : []
  return [
    ...tellingMembers.flatMap((member) => wordOf(line[member])),
    ...writes.flatMap((write: Json) =>
      isObject(write) ? [wordOf(write["change"]), wordOf(write["table"])].flat() : []
    ),
    "at",
    ...wordOf(line["at"])
  ].join(" ")
}

const tellingMembers = (
  "kind actor process did fault step operation method path status " +
  "receiver host delivery answer chosen name to verdict"
).split(" ")

const wordOf = (value: Json | undefined): ReadonlyArray<string> =>
  typeof value === "string" || typeof value === "number" ? [String(value)] : []

/** Events of two kinds have nothing to compare but their names. */
const membersApart = (one: Json | undefined, other: Json | undefined): ReadonlyArray<string> => {
  if (!isObject(one) || !isObject(other) || one["kind"] !== other["kind"]) return []
  const apart = apartAt("", one, other)
  const rest = apart.length - membersShown
  return rest > 0 ? [...apart.slice(0, membersShown), `    and ${rest} more`] : apart
}

const membersShown = 20

const apartAt = (path: string, one: Json | undefined, other: Json | undefined): ReadonlyArray<string> => {
  if (isObject(one) && isObject(other))
    return keysOf(one, other).flatMap((key) => apartAt(join(path, key), one[key], other[key]))
  if (Array.isArray(one) && Array.isArray(other)) {
    const [items, others]: readonly [ReadonlyArray<Json>, ReadonlyArray<Json>] = [one, other]
    return keysOf(items, others).flatMap((key) => apartAt(join(path, key), items[Number(key)], others[Number(key)]))
  }
  if (one === other) return []
  return [`    ${path}: ${excerpt(one, other)} and ${excerpt(other, one)}`]
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

const keysOf = (one: object, other: object): ReadonlyArray<string> => [
  ...new Set([...Object.keys(one), ...Object.keys(other)])
]

/** Of a long text, what stands around the first character that is another. */
const excerpt = (value: Json | undefined, beside: Json | undefined): string => {
  if (value === undefined) return "nothing"
  const [text, others] = [JSON.stringify(value), JSON.stringify(beside ?? null)]
  let alike = 0
  while (alike < text.length && text[alike] === others[alike]) alike++
  return alike < excerptMax / 2 ? cut(text) : `…${cut(text.slice(alike - 20))}`
}

const excerptMax = 100

const cut = (text: string): string => (text.length <= excerptMax ? text : `${text.slice(0, excerptMax)}…`)
