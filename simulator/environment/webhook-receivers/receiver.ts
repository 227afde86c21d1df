/**
 * A conforming webhook receiver: it keeps the raw bytes, checks freshness and signature before parsing, and detects
 * duplicates and reordering. It shares no code with the service.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { WebhookRequest } from "../../../src/ports/webhook-sender.ts"
import { offsetInMilliseconds } from "../../vocabulary/duration.ts"
import { asJson, isObject, type Json, type JsonObject } from "../../vocabulary/json.ts"
import type { AttemptScript } from "./attempt-script.ts"
import type { ReceiverVerdict } from "../../vocabulary/states.ts"

/** A received request. */
export interface Arrival {
  /** The number of arrivals of this delivery so far. */
  readonly time: number
  readonly request: WebhookRequest
  readonly event: JsonObject
  /** Undefined if the receiver answered without verification. */
  readonly made: ReceiverVerdict | undefined
}

export class Receiver {
  readonly name: string
  readonly host: string
  readonly addresses: ReadonlyArray<string>
  /** Scripts of the next attempts, and of all later ones. */
  scripts: ReadonlyArray<AttemptScript> = []
  otherwise: AttemptScript = {}
  /** Scripts of this world that were replaced before their attempts. */
  readonly overridden: Array<AttemptScript> = []
  #isTakenOver = false
  /** The offset of its clock, in milliseconds. */
  clock: number
  /** True if an attached program answers its requests. */
  hasProgram = false
  readonly arrivals: Array<Arrival> = []
  #secret: string | undefined
  readonly #events = new Set<string>()
  readonly #newest = new Map<string, number>()

  constructor(name: string, { host, addresses = [somePublicAddress], clock = "0s" }: ReceiverDefinition) {
    this.name = name
    this.host = host
    this.addresses = addresses
    this.clock = offsetInMilliseconds(clock)
  }

  nextScript(): AttemptScript {
    const [visit = this.otherwise, ...rest] = this.scripts
    this.scripts = rest
    return visit
  }

  set(visits: ReadonlyArray<AttemptScript>, otherwise: AttemptScript): void {
    if (!this.#isTakenOver) this.overridden.push(...this.scripts.filter((visit) => Object.keys(visit).length > 0))
    this.#isTakenOver = false
    this.scripts = visits
    this.otherwise = otherwise
  }

  /** Replaces the secret for verification. */
  setSecret(secret: string): void {
    this.#secret = secret
  }

  /** Signs any bytes with the receiver's secret. */
  sign(rawBody: string, now: number): JsonObject {
    const timestamp = String(Math.floor((now + this.clock) / 1000))
    return { rawBody, timestamp, signature: this.#signatureOf(`${timestamp}.${rawBody}`) }
  }

  /** Records a request; `isRead`: verifies it. */
  receive(request: WebhookRequest, isRead: boolean, now: number): Arrival {
    const delivery = request.headers["service-delivery-id"]
    const before = this.arrivals.filter((one) => one.request.headers["service-delivery-id"] === delivery)
    const event = eventIn(request.body)
    const made = isRead ? this.#verify(request, event, now + this.clock) : undefined
    const arrival = { time: before.length + 1, request, event, made }
    this.arrivals.push(arrival)
    return arrival
  }

  copyStateFrom(earlier: Receiver): void {
    this.scripts = earlier.scripts
    this.#isTakenOver = true
    this.otherwise = earlier.otherwise
    this.clock = earlier.clock
    this.hasProgram = earlier.hasProgram
    this.#secret = earlier.#secret
    this.arrivals.push(...earlier.arrivals)
    for (const id of earlier.#events) this.#events.add(id)
    for (const [project, sequence] of earlier.#newest) this.#newest.set(project, sequence)
  }

  /** A report of all received requests. */
  get report(): JsonObject {
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

  #verify({ headers, body }: WebhookRequest, event: JsonObject, now: number): ReceiverVerdict {
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
    const actual = Buffer.from(signature)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }

  #signatureOf(signed: string): string {
    return `v1=${createHmac("sha256", this.#secret ?? "")
      .update(signed, "utf8")
      .digest("hex")}`
  }
}

/** A receiver in a scenario. */
export interface ReceiverDefinition {
  readonly host: string
  readonly addresses?: ReadonlyArray<string>
  readonly clock?: string
}

/** The webhook target URL of a host. */
export const targetAt = (host: string): string => `https://${host}/callbacks`

/** The parts that verification needs: the raw body and the headers. */
const rawParts = ({ headers, body }: WebhookRequest): JsonObject => ({
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
