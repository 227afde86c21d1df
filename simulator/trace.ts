/**
 * The trace of a run: NDJSON, one canonical line for each observation. It names people, agents and moments of virtual
 * time, and holds no fiber ids, no wall time and no secret; the same seed gives the same bytes on any machine and on
 * either store. An event of a project stands in it whole once; wherever an answer shows it again, its hash stands for it.
 */
import { canonicalText } from "../src/canonical/jcs.ts"
import { differencesFrom } from "./compare.ts"
import type { Observed } from "./observation.ts"
import { isObject, type Json, type JsonObject } from "./script/json.ts"

export const traceFormat = "countersign.trace/v1"

export const renderTrace = (observations: ReadonlyArray<Observed>, redact: (text: string) => string): string => {
  const shown: Shown = new Map()
  return observations.map((observed) => `${redact(canonicalText(foldEvents(lineOf(observed), shown)))}\n`).join("")
}

const lineOf = (observed: Observed) =>
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
 * Where two traces part first, for a reader: the line, what it tells, and each member that differs. Undefined where
 * they are equal to the byte.
 */
export const firstDifference = (one: string, other: string): string | undefined => {
  if (one === other) return undefined
  const lines = one.split("\n")
  const others = other.split("\n")
  const index = Math.max(
    lines.findIndex((line, index) => line !== others[index]),
    0
  )
  const [left, right] = [parse(lines[index]), parse(others[index])]
  const title = `line ${index + 1} of ${lines.length - 1} and ${others.length - 1}`
  return [`the traces part at ${title}: ${nameOf(left)}, ${nameOf(right)}`, ...membersApart(left, right)].join("\n")
}

const parse = (line: string | undefined): Json =>
  line === undefined || line === "" ? null : (JSON.parse(line) as Json)

const nameOf = (line: Json): string =>
  isObject(line)
    ? [line["kind"], line["actor"], line["operation"] ?? line["status"]].filter((part) => part !== undefined).join(" ")
    : "the end"

const membersApart = (one: Json, other: Json): ReadonlyArray<string> => {
  if (!isObject(one) || !isObject(other)) return []
  const missing = differencesFrom(other, one).filter(({ actual }) => actual === undefined)
  return [
    ...differencesFrom(one, other).map(
      ({ path, expected, actual }) =>
        `  ${path}: ${short(expected)} and ${actual === undefined ? "nothing" : short(actual)}`
    ),
    ...missing.map(({ path, expected }) => `  ${path}: nothing and ${short(expected)}`)
  ]
}

const short = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`
}
