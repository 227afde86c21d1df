/**
 * The trace of a run: NDJSON, one canonical line for each observation. It contains names and virtual times, but no fiber
 * ids, wall time or secrets; it is deterministic for a seed on any machine and either store. An event of a project or of a
 * Result Order is written in full once and referenced by its hash afterwards.
 */
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { TimedObservation } from "./observation.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"

export const traceFormat = "countersign.trace/v1"

export const renderTrace = (
  observations: ReadonlyArray<TimedObservation>,
  redact: (text: string) => string
): string => {
  const known: EventsByHash = new Map()
  return observations.map((observed) => `${redact(canonicalText(foldEvents(lineOf(observed), known)))}\n`).join("")
}

const lineOf = ({
  ofStep: _step,
  ofRequest: _request,
  ofSend: _send,
  ofProject: _project,
  ofProvider: _provider,
  ofReadback: _readback,
  isUnauthorized: _unauthorized,
  ...observed
}: TimedObservation) => (observed.kind === "scenario" ? { format: traceFormat, ...observed } : { ...observed })

/** The lines of a trace with all events expanded. */
export const readTrace = (text: string): ReadonlyArray<JsonObject> => {
  const known: EventsByHash = new Map()
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => unfoldEvents(JSON.parse(line) as JsonObject, known))
}

/** Events of the trace by hash. */
type EventsByHash = Map<string, Json>

/** Replaces an event by its hash if it is exactly equal to the earlier one. */
const foldEvents = <Line extends object>(line: Line, known: EventsByHash): Line =>
  withEvents(line, (event) => {
    const hash = isObject(event) ? event["hash"] : undefined
    if (typeof hash !== "string") return event
    const before = known.get(hash)
    if (before === undefined) known.set(hash, event)
    return before !== undefined && canonicalText(before) === canonicalText(event) ? hash : event
  })

const unfoldEvents = (line: JsonObject, known: EventsByHash): JsonObject =>
  withEvents(line, (event) => {
    if (typeof event === "string") return known.get(event) ?? event
    const hash = isObject(event) ? event["hash"] : undefined
    if (typeof hash === "string" && !known.has(hash)) known.set(hash, event)
    return event
  })

/** The events of a project, and of each Result Order. */
const withEvents = <Line extends object>(line: Line, change: (event: Json) => Json): Line => {
  const body = "body" in line ? (line.body as Json | undefined) : undefined
  if (!isObject(body)) return line
  const { project, resultOrders } = body
  const changed = {
    ...(isObject(project) ? { project: changedIn(project, "events", change) } : {}),
    ...(Array.isArray(resultOrders)
      ? {
          resultOrders: resultOrders.map((one: Json) =>
            isObject(one) ? changedIn(one, "financialEvents", change) : one
          )
        }
      : {})
  }
  return { ...line, body: { ...changedIn(body, "financialEvents", change), ...changed } }
}

const changedIn = (holder: JsonObject, member: string, change: (event: Json) => Json): JsonObject => {
  const events = holder[member]
  return Array.isArray(events) ? { ...holder, [member]: events.map(change) } : holder
}

/**
 * A description of the first difference of two traces: two common lines, the event of each side, and the differing
 * members. Undefined if they are byte-identical. `names` are the names of the two sides.
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
    `the traces differ from line ${index + 1} of ${lines.length} and ${others.length}`,
    ...lines.slice(Math.max(index - 2, 0), index).map((line) => `  ${" ".repeat(width)} ${nameOf(parse(line))}`),
    `  ${`${names[0]}:`.padEnd(width)} ${nameOf(left)}`,
    `  ${`${names[1]}:`.padEnd(width)} ${nameOf(right)}`,
    ...differingMembers(left, right)
  ].join("\n")
}

/**
 * A trace without what depends on the number of instances: each instance authenticates a credential for itself, which is
 * one more choice, and a fault can be injected at other rows.
 */
export const withoutInstances = (trace: string): string =>
  trace
    .split("\n")
    .filter((line) => !line.includes('"kind":"choice"'))
    .map((line) => (line.includes('"kind":"fault"') ? line.replace(/"what":\[[^\]]*\]/u, '"what":[]') : line))
    .join("\n")

/** The index of the first line that is not byte-identical. */
export const lineOfDifference = (one: string, other: string): number | undefined => {
  if (one === other) return undefined
  const [lines, others] = [one.split("\n"), other.split("\n")]
  return lines.length >= others.length
    ? lines.findIndex((line, index) => line !== others[index])
    : others.findIndex((line, index) => line !== lines[index])
}

const linesOf = (text: string): ReadonlyArray<string> => text.replace(/\n$/, "").split("\n")

/** A committed file may contain other text, such as merge conflict markers: such a line is printed as it is. */
const parse = (line: string | undefined): Json | undefined => {
  if (line === undefined || line === "") return undefined
  try {
    return JSON.parse(line) as Json
  } catch {
    return line
  }
}

/** A one-line description of an event from its identifying members. */
const nameOf = (line: Json | undefined): string => {
  if (line === undefined) return "the end"
  if (!isObject(line)) return cut(JSON.stringify(line))
  const writes = Array.isArray(line["writes"]) ? line["writes"] : []
  return [
    ...identifyingMembers.flatMap((member) => wordOf(line[member])),
    ...writes.flatMap((write: Json) =>
      isObject(write) ? [wordOf(write["change"]), wordOf(write["table"])].flat() : []
    ),
    "at",
    ...wordOf(line["at"])
  ].join(" ")
}

const identifyingMembers = (
  "kind actor process did fault step operation method path status " +
  "receiver host delivery answer chosen name to verdict"
).split(" ")

const wordOf = (value: Json | undefined): ReadonlyArray<string> =>
  typeof value === "string" || typeof value === "number" ? [String(value)] : []

/** Events of different kinds are not compared. */
const differingMembers = (one: Json | undefined, other: Json | undefined): ReadonlyArray<string> => {
  if (!isObject(one) || !isObject(other) || one["kind"] !== other["kind"]) return []
  const differences = differencesAt("", one, other)
  const rest = differences.length - membersShown
  return rest > 0 ? [...differences.slice(0, membersShown), `    and ${rest} more`] : differences
}

const membersShown = 20

const differencesAt = (path: string, one: Json | undefined, other: Json | undefined): ReadonlyArray<string> => {
  if (isObject(one) && isObject(other))
    return keysOf(one, other).flatMap((key) => differencesAt(join(path, key), one[key], other[key]))
  if (Array.isArray(one) && Array.isArray(other)) {
    const [items, others]: readonly [ReadonlyArray<Json>, ReadonlyArray<Json>] = [one, other]
    return keysOf(items, others).flatMap((key) =>
      differencesAt(join(path, key), items[Number(key)], others[Number(key)])
    )
  }
  if (one === other) return []
  return [`    ${path}: ${excerpt(one, other)} and ${excerpt(other, one)}`]
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

const keysOf = (one: object, other: object): ReadonlyArray<string> => [
  ...new Set([...Object.keys(one), ...Object.keys(other)])
]

/** The part of a long text around the first different character. */
const excerpt = (value: Json | undefined, beside: Json | undefined): string => {
  if (value === undefined) return "nothing"
  const [text, others] = [JSON.stringify(value), JSON.stringify(beside ?? null)]
  let equal = 0
  while (equal < text.length && text[equal] === others[equal]) equal++
  return equal < excerptMax / 2 ? cut(text) : `…${cut(text.slice(equal - 20))}`
}

const excerptMax = 100

const cut = (text: string): string => (text.length <= excerptMax ? text : `${text.slice(0, excerptMax)}…`)
