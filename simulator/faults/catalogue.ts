/**
 * Every fault that a script can inject: what it does, how it is written, how a trace shows that it struck, and a
 * scenario that shows it. `simulate faults` prints this list, and coverage holds traces against it.
 */
import type { JsonObject } from "../script/json.ts"
import { faultsOfTheDatabase } from "./database-catalogue.ts"
import { faultsOfReceivers } from "./receiver-catalogue.ts"
import { faultsOfSurroundings } from "./surroundings-catalogue.ts"

export interface Fault {
  readonly name: string
  readonly what: string
  /** As it stands in a step. */
  readonly written: string
  /** True at the line of a trace where it strikes; `earlier` are the lines before that one. */
  readonly seenAs: (line: JsonObject, earlier: ReadonlyArray<JsonObject>) => boolean
  /** A scenario that shows it, by the name of its file. */
  readonly scenario: string
}

export const faults: ReadonlyArray<Fault> = [...faultsOfTheDatabase, ...faultsOfReceivers, ...faultsOfSurroundings]

/** The names of all that struck in a run. */
export const faultsSeenIn = (lines: ReadonlyArray<JsonObject>): ReadonlySet<string> => {
  const seen = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (!tells.has(line["kind"])) continue
    const earlier = lines.slice(0, index)
    for (const { name, seenAs } of faults) if (!seen.has(name) && seenAs(line, earlier)) seen.add(name)
  }
  return seen
}

/** The kinds of lines that a fault can be seen at: most lines are none of them. */
const tells: ReadonlySet<unknown> = new Set([
  "request",
  "response",
  "fault",
  "worker",
  "lookup",
  "unconnected",
  "received",
  "reply",
  "stalled",
  "hangup",
  "letter",
  "act",
  "answer"
])
