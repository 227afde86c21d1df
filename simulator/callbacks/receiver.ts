/**
 * A receiver of callbacks that follows the rules: it keeps the raw bytes, checks freshness and signature before it reads
 * them, knows an event that it has, and an older one when it sees it. It shares no code with the service that signs.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { CallbackRequest } from "../../src/ports/callback-sender.ts"
import { offsetInMilliseconds } from "../script/duration.ts"
import { asJson, isObject, type Json, type JsonObject } from "../script/json.ts"
import type { Visit } from "./visit.ts"

/** `OLDER` is new to it and tells of a moment before another that it has; it is kept, and nothing is concluded from it. */
export type Made = "TAKEN" | "REPEATED" | "OLDER" | "STALE" | "FORGED"

/** A request that arrived. */
export interface Arrival {
  /** How often this delivery has arrived here by now. */
  readonly time: number
  readonly request: CallbackRequest
  readonly event: JsonObject
  /** Undefined where it answered without a look. */
  readonly made: Made | undefined
}

export class Receiver {
  readonly name: string
  readonly host: string
  readonly addresses: ReadonlyArray<string>
  /** What becomes of the next attempts, and of all after them. */
  visits: ReadonlyArray<Visit> = []
  otherwise: Visit = {}
  /** What was said of it in this world, and something else was said before it came to that. */
  readonly overridden: Array<Visit> = []
  #isTakenOver = false
  /** How far its clock is ahead, in milliseconds. */
  clock: number
  /** What it answers is a program's to say, who is asked by `asked`. */
  hasProgram = false
  readonly arrivals: Array<Arrival> = []
  #secret: string | undefined
  readonly #events = new Set<string>()
  readonly #newest = new Map<string, number>()

  constructor(name: string, { host, addresses = [somePublicAddress], clock = "0s" }: GivenReceiver) {
    this.name = name
    this.host = host
    this.addresses = addresses
    this.clock = offsetInMilliseconds(clock)
  }

  nextVisit(): Visit {
    const [visit = this.otherwise, ...rest] = this.visits
    this.visits = rest
    return visit
  }

  set(visits: ReadonlyArray<Visit>, otherwise: Visit): void {
    if (!this.#isTakenOver) this.overridden.push(...this.visits.filter((visit) => Object.keys(visit).length > 0))
    this.#isTakenOver = false
    this.visits = visits
    this.otherwise = otherwise
  }

  /** From now on this is what its callbacks are signed with, and nothing else. */
  take(secret: string): void {
    this.#secret = secret
  }

  /** Bytes of its own making, signed as callbacks are: whoever has a secret can sign anything. */
  sign(rawBody: string, now: number): JsonObject {
    const timestamp = String(Math.floor((now + this.clock) / 1000))
    return { rawBody, timestamp, signature: this.#signatureOf(`${timestamp}.${rawBody}`) }
  }

  /** Notes what arrives; `isRead` where it looks at it. */
  receive(request: CallbackRequest, isRead: boolean, now: number): Arrival {
    const delivery = request.headers["service-delivery-id"]
    const before = this.arrivals.filter((one) => one.request.headers["service-delivery-id"] === delivery)
    const event = eventIn(request.body)
    const made = isRead ? this.#make(request, event, now + this.clock) : undefined
    const arrival = { time: before.length + 1, request, event, made }
    this.arrivals.push(arrival)
    return arrival
  }

  takeOver(earlier: Receiver): void {
    this.visits = earlier.visits
    this.#isTakenOver = true
    this.otherwise = earlier.otherwise
    this.clock = earlier.clock
    this.hasProgram = earlier.hasProgram
    this.#secret = earlier.#secret
    this.arrivals.push(...earlier.arrivals)
    for (const id of earlier.#events) this.#events.add(id)
    for (const [project, sequence] of earlier.#newest) this.#newest.set(project, sequence)
  }

  /** What it can tell of all that has arrived. */
  get told(): JsonObject {
    const callbacks = this.arrivals.map(({ request: { headers }, event, made }) =>
      asJson({
        type: event["type"],
        event: headers["service-event-id"],
        delivery: headers["service-delivery-id"],
        projectId: event["projectId"],
        sequence: event["sequence"],
        made: made ?? "UNREAD"
      })
    )
    const last = this.arrivals.at(-1)
    return {
      count: callbacks.length,
      events: this.#events.size,
      callbacks,
      last: last === undefined ? null : { event: last.event, ...rawParts(last.request) }
    }
  }

  #make({ headers, body }: CallbackRequest, event: JsonObject, now: number): Made {
    const timestamp = headers["service-timestamp"] ?? ""
    if (!(Math.abs(now - Number(timestamp) * 1000) <= tolerance)) return "STALE"
    if (!this.#isSigned(`${timestamp}.${body}`, headers["service-signature"] ?? "")) return "FORGED"
    const { id, projectId, sequence } = event
    if (this.#events.has(String(id))) return "REPEATED"
    this.#events.add(String(id))
    const newest = this.#newest.get(String(projectId)) ?? 0
    if (Number(sequence) < newest) return "OLDER"
    this.#newest.set(String(projectId), Number(sequence))
    return "TAKEN"
  }

  #isSigned(signed: string, signature: string): boolean {
    if (this.#secret === undefined) return false
    const expected = Buffer.from(this.#signatureOf(signed))
    const found = Buffer.from(signature)
    return found.length === expected.length && timingSafeEqual(found, expected)
  }

  #signatureOf(signed: string): string {
    return `v1=${createHmac("sha256", this.#secret ?? "")
      .update(signed, "utf8")
      .digest("hex")}`
  }
}

/** As a scenario gives one. */
export interface GivenReceiver {
  readonly host: string
  readonly addresses?: ReadonlyArray<string>
  readonly clock?: string
}

/** Where it wants to be called back. */
export const targetAt = (host: string): string => `https://${host}/callbacks`

/** What whoever verifies a callback sends on: the body before anything parsed it, and the headers as they came. */
const rawParts = ({ headers, body }: CallbackRequest): JsonObject => ({
  rawBody: body,
  timestamp: headers["service-timestamp"] ?? "",
  signature: headers["service-signature"] ?? ""
})

const eventIn = (body: string): JsonObject => {
  const event = JSON.parse(body) as Json
  return isObject(event) ? event : {}
}

const somePublicAddress = "93.184.215.14"
const tolerance = 300_000
