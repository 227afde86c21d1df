/** The lanes of a run, one per party, and the lanes of each trace line. */
import type { JsonObject } from "../vocabulary/json.ts"
import { stringMember } from "./line-summary.ts"

export interface Lane {
  readonly name: string
  readonly is: (typeof order)[number]
}

/** From left to right: callers, the service, called parties. */
const order = ["operator", "person", "visitor", "agent", "service", "worker", "receiver", "mail"] as const

const service = "service"
const mail = "mail server"

export const lanesOf = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<Lane> => {
  const found = new Map<string, Lane["is"]>()
  for (const line of lines) {
    for (const { name, is } of partiesOf(line)) {
      const known = found.get(name)
      if (known === undefined || (known === "visitor" && is !== "visitor")) found.set(name, is)
    }
  }
  const lanes = [...found].map(([name, is]) => ({ name, is }))
  return order.flatMap((kind) => lanes.filter(({ is }) => is === kind))
}

const partiesOf = (line: JsonObject): ReadonlyArray<Lane> => {
  const laneFrom = (member: string, is: Lane["is"]): ReadonlyArray<Lane> => {
    const name = stringMember(line, member)
    return name === undefined
      ? []
      : [{ name, is: name.startsWith(service) ? "service" : name === "operator" ? name : is }]
  }
  switch (line["kind"]) {
    case "given":
      return line["is"] === "person" || line["is"] === "receiver" || line["is"] === "agent"
        ? laneFrom("name", line["is"])
        : []
    case "request": {
      const isOfAgents = stringMember(line, "path")?.startsWith("/api/agents/") ?? false
      return [...laneFrom("actor", isOfAgents ? "agent" : "visitor"), { name: service, is: "service" }]
    }
    case "letter":
      return [
        { name: service, is: "service" },
        { name: mail, is: "mail" }
      ]
    case "process":
      return laneFrom("process", "worker")
    case "worker":
    case "lookup":
    case "unconnected":
    case "connection":
    case "callback":
    case "reply":
    case "stalled":
    case "hangup":
      return [...laneFrom("actor", "worker"), ...laneFrom("receiver", "receiver")]
    default:
      return [...laneFrom("actor", "visitor"), ...laneFrom("receiver", "receiver")]
  }
}

export interface LanePosition {
  readonly lane: string | undefined
  readonly to?: string | undefined
}

/** The lane of a line, and the lane it points to; `begun` is the first line of its exchange. */
export const placeOf = (line: JsonObject, begun: JsonObject): LanePosition => {
  const actor = stringMember(line, "actor")
  const receiver = stringMember(line, "receiver")
  switch (line["kind"]) {
    case "given":
      return { lane: givenInLane.has(line["is"]) ? stringMember(line, "name") : "operator" }
    case "request":
      return { lane: actor, to: line["lost"] === true ? undefined : service }
    case "response":
      return { lane: service, to: line["lost"] === true ? undefined : actor }
    case "commit":
      return { lane: begun["kind"] === "request" ? service : actor }
    case "letter":
      return { lane: service, to: mail }
    case "process":
      return { lane: stringMember(line, "process") }
    case "connection":
    case "callback":
      return { lane: actor, to: receiver }
    case "received":
      return { lane: receiver }
    case "reply":
      return { lane: receiver, to: actor }
    case "stalled":
      return { lane: receiver }
    case "hangup":
      return { lane: actor, to: receiver }
    default:
      return { lane: actor ?? receiver ?? stringMember(line, "process") }
  }
}

const givenInLane: ReadonlySet<unknown> = new Set(["person", "receiver", "agent"])
