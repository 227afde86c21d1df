/** The calls in a trace: caller, operation, target with its state, and outcome. */
import { isObject, valueAt, type Json, type JsonObject } from "../vocabulary/json.ts"
import type { Resource } from "./resources.ts"
import { commandOf, routeOf } from "./routes.ts"
import { StateTracker } from "./tracked-states.ts"

export type CallerKind = "person" | "agent" | "assistant" | "visitor" | "operator" | "worker"

export interface Call {
  readonly by: CallerKind
  /** Undefined if the service has no such operation. */
  readonly operation: string | undefined
  /** `accepted`, the code of the refusal, or the status if there is no code. */
  readonly outcome: string
  /** For a command: its target kind and the target's state. */
  readonly command?: { readonly noun: Resource; readonly command: string; readonly state: string }
}

/** Requests without an answer have no outcome and are omitted. */
export const callsIn = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<Call> => {
  const states = new StateTracker(lines)
  const actors = new Actors()
  const open = new Map<string, Array<PendingCall>>()
  const pendingOf = (line: JsonObject): Array<PendingCall> => {
    const pending = open.get(keyOf(line)) ?? []
    open.set(keyOf(line), pending)
    return pending
  }
  return lines.flatMap((line) => {
    actors.read(line)
    // Nested requests of one actor are answered in reverse order.
    if (line["kind"] === "request" && line["lost"] !== true) pendingOf(line).push(callFrom(line, actors, states))
    if (line["kind"] === "resumed") {
      const call = pendingOf(line).pop()
      if (call !== undefined) pendingOf(line).push(callFrom(call.line, actors, states))
    }
    const pending = line["kind"] === "response" ? pendingOf(line).pop() : undefined
    states.read(line)
    if (pending === undefined) return []
    actors.learn(pending.line, line)
    const { line: _, ...call } = pending
    return [{ ...call, outcome: outcomeOf(line) }]
  })
}

/** Lines of concurrent steps have the step number; other lines are matched by actor. */
const keyOf = ({ kind, step, actor }: JsonObject): string =>
  (kind === "request" || kind === "response") && typeof step === "number" ? `step ${step}` : String(actor)

type PendingCall = Omit<Call, "outcome"> & { readonly line: JsonObject }

const callFrom = (line: JsonObject, actors: Actors, states: StateTracker): PendingCall => {
  const path = String(line["path"])
  const method = String(line["method"])
  const operation = routeOf(method, path)?.operation
  const target = method === "GET" || operation === undefined ? undefined : commandOf(path)
  const state = target === undefined ? undefined : states.of(decodeURIComponent(target.id))
  const by = actors.kindOf(line)
  if (target === undefined || state === undefined) return { line, by, operation }
  return { line, by, operation, command: { noun: target.noun, command: target.command, state } }
}

const outcomeOf = (response: JsonObject): string => {
  const status = Number(response["status"])
  if (status < 400) return "accepted"
  const code = valueAt(response["body"] ?? null, "error")
  return typeof code === "string" ? code : String(status)
}

/** The kinds of actors: a trace introduces people first, and agents with the answer that has their token. */
class Actors {
  readonly #kinds = new Map<string, CallerKind>([["operator", "operator"]])

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

  kindOf({ actor, path }: JsonObject): CallerKind {
    if (String(path).startsWith("/api/participation/")) return "assistant"
    return this.#kinds.get(String(actor)) ?? "visitor"
  }

  #agent(name: Json | undefined): void {
    if (typeof name === "string" && !this.#kinds.has(name)) this.#kinds.set(name, "agent")
  }
}
