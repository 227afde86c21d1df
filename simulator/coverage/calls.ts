/** The requests of a trace with what came of each: who asked, for what, of what in which state. */
import { isObject, valueAt, type Json, type JsonObject } from "../script/json.ts"
import type { Noun } from "./nouns.ts"
import { commandOf, routeOf } from "./routes.ts"
import { ShownStates } from "./shown-states.ts"

export type Kind = "person" | "agent" | "assistant" | "visitor" | "operator" | "worker"

export interface Call {
  readonly by: Kind
  /** Undefined where the service has no such operation. */
  readonly operation: string | undefined
  /** `accepted`, the code of the refusal, or the status where there is no code. */
  readonly outcome: string
  /** Where it was a command: on what, and in which state that was. */
  readonly command?: { readonly noun: Noun; readonly command: string; readonly state: string }
}

/** Requests whose answer never came have no outcome, and are none of them. */
export const callsIn = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<Call> => {
  const states = new ShownStates(lines)
  const actors = new Actors()
  const open = new Map<string, Array<Asked>>()
  const asksOf = (line: JsonObject): Array<Asked> => {
    const asks = open.get(askedAs(line)) ?? []
    open.set(askedAs(line), asks)
    return asks
  }
  return lines.flatMap((line) => {
    actors.read(line)
    // Requests of one actor that happen inside each other are answered from the inside out.
    if (line["kind"] === "request" && line["lost"] !== true) asksOf(line).push(askedBy(line, actors, states))
    if (line["kind"] === "resumed") {
      const ask = asksOf(line).pop()
      if (ask !== undefined) asksOf(line).push(askedBy(ask.line, actors, states))
    }
    const ask = line["kind"] === "response" ? asksOf(line).pop() : undefined
    states.read(line)
    if (ask === undefined) return []
    actors.learn(ask.line, line)
    const { line: _, ...asked } = ask
    return [{ ...asked, outcome: outcomeOf(line) }]
  })
}

/** Where several steps go on beside each other, lines say which is meant. */
const askedAs = ({ kind, step, actor }: JsonObject): string =>
  (kind === "request" || kind === "response") && typeof step === "number" ? `step ${step}` : String(actor)

type Asked = Omit<Call, "outcome"> & { readonly line: JsonObject }

const askedBy = (line: JsonObject, actors: Actors, states: ShownStates): Asked => {
  const path = String(line["path"])
  const method = String(line["method"])
  const operation = routeOf(method, path)?.operation
  const asked = method === "GET" || operation === undefined ? undefined : commandOf(path)
  const state = asked === undefined ? undefined : states.of(decodeURIComponent(asked.id))
  const by = actors.kindOf(line)
  if (asked === undefined || state === undefined) return { line, by, operation }
  return { line, by, operation, command: { noun: asked.noun, command: asked.command, state } }
}

const outcomeOf = (response: JsonObject): string => {
  const status = Number(response["status"])
  if (status < 400) return "accepted"
  const code = valueAt(response["body"] ?? null, "error")
  return typeof code === "string" ? code : String(status)
}

/** Who is who: a trace introduces people first, and agents with the answer that hands them a token. */
class Actors {
  readonly #kinds = new Map<string, Kind>([["operator", "operator"]])

  read(line: JsonObject): void {
    if (line["kind"] === "given" && line["is"] === "person") this.#kinds.set(String(line["name"]), "person")
    if (line["kind"] === "given" && String(line["is"]).startsWith("agent of ")) this.#agent(line["name"])
    if (line["kind"] === "worker") this.#kinds.set(String(line["actor"]), "worker")
    const { operation, input } = line
    if (operation === "grantAgent" && isObject(input)) this.#agent(input["agent"])
  }

  learn(request: JsonObject, response: JsonObject): void {
    if (Number(response["status"]) >= 300) return
    const credential = valueAt(response["body"] ?? null, "credential")
    if (credential !== undefined) this.#agent(request["actor"])
    if (valueAt(response["body"] ?? null, "agentId") !== undefined)
      this.#agent(valueAt(request["body"] ?? null, "agentName"))
  }

  kindOf({ actor, path }: JsonObject): Kind {
    if (String(path).startsWith("/api/participation/")) return "assistant"
    return this.#kinds.get(String(actor)) ?? "visitor"
  }

  #agent(name: Json | undefined): void {
    if (typeof name === "string" && !this.#kinds.has(name)) this.#kinds.set(name, "agent")
  }
}
