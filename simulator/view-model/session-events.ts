/** The events of a session: one per trace line, with the text and the tone that every view of the session shows. */
import type { JsonObject } from "../vocabulary/json.ts"
import { Attempts } from "./attempts.ts"
import { Exchanges } from "./exchanges.ts"
import { stringMember, summarizeLine } from "./line-summary.ts"
import { optionalMember } from "./optional-member.ts"
import { toneOf, type Tone } from "./tones.ts"

/** The event of one trace line, at the 0-based index of the line. */
export interface SessionEvent {
  readonly at: string
  readonly kind: string
  readonly actor?: string
  readonly text: string
  readonly tone?: Tone
  readonly step?: number
  /** The first event of its request, act or webhook. */
  readonly exchange?: number
  /** The 1-based attempt of the webhook that it claims or sends. */
  readonly attempt?: number
  /** The event of the same kind in the previous attempt. */
  readonly earlier?: number
}

/** A fold over the lines of a trace: the work for a line does not depend on the number of lines before it. */
export class SessionEvents {
  readonly #events: Array<SessionEvent> = []
  readonly #exchanges = new Exchanges()
  readonly #attempts = new Attempts()
  /** The current operation of each actor. */
  readonly #operations = new Map<string, string>()
  #step: number | undefined

  get all(): ReadonlyArray<SessionEvent> {
    return this.#events
  }

  add(line: JsonObject): SessionEvent {
    const index = this.#events.length
    const actor = stringMember(line, "actor")
    const operation = stringMember(line, "operation")
    if (operation !== undefined) this.#operations.set(actor ?? "", operation)
    if (typeof line["step"] === "number") this.#step = line["step"]
    const attempt = this.#attempts.add(line, index)
    const event: SessionEvent = {
      at: stringMember(line, "at") ?? "",
      kind: stringMember(line, "kind") ?? "unknown",
      ...optionalMember("actor", actor),
      text: summarizeLine(line, { operation: this.#operations.get(actor ?? ""), attempt: attempt?.attempt }),
      ...optionalMember("tone", toneOf(line)),
      ...optionalMember("step", this.#step),
      ...optionalMember("exchange", this.#exchanges.add(line, index)),
      ...optionalMember("attempt", attempt?.attempt),
      ...optionalMember("earlier", attempt?.earlier)
    }
    this.#events.push(event)
    return event
  }
}

export const eventsOf = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<SessionEvent> => {
  const events = new SessionEvents()
  for (const line of lines) events.add(line)
  return events.all
}
