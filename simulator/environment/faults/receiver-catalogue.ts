/** Faults between the service and webhook receivers: DNS, connections, responses and clocks. */
import { isPublicAddress } from "../webhook-receivers/public-addresses.ts"
import type { JsonObject } from "../../vocabulary/json.ts"
import type { Fault } from "./catalogue.ts"

type Lines = ReadonlyArray<JsonObject>

/** The YAML that sets a receiver's next attempt. */
const next = (visit: string): string =>
  `{ as: operator, do: setReceiver, input: { receiver: hooks, next: [{ ${visit} }] } }`

const atReceiver = (earlier: Lines, receiver: unknown): Lines => earlier.filter((line) => line["receiver"] === receiver)

const arrivalOf = (earlier: Lines, delivery: unknown): JsonObject | undefined =>
  earlier.findLast(({ kind, delivery: arrived }) => kind === "received" && arrived === delivery)

const hasStalled = (earlier: Lines, receiver: unknown): boolean => {
  const lines = atReceiver(earlier, receiver)
  const sent = lines.findLastIndex(({ kind }) => kind === "callback")
  return lines.slice(sent).some(({ kind }) => kind === "stalled")
}

/** True if another webhook request arrived after this one was sent. */
const wasOvertaken = ({ receiver, delivery }: JsonObject, earlier: Lines): boolean => {
  const lines = atReceiver(earlier, receiver)
  const sent = lines.findLastIndex(({ kind, headers }) => kind === "callback" && deliveryIn(headers) === delivery)
  return sent >= 0 && lines.slice(sent).some((line) => line["kind"] === "received" && line["delivery"] !== delivery)
}

const deliveryIn = (headers: unknown): unknown =>
  typeof headers === "object" && headers !== null ? Reflect.get(headers, "service-delivery-id") : undefined

const answers: ReadonlyArray<Fault> = [
  {
    name: "receiver status",
    what: "The receiver responds with a status outside 2xx.",
    written: next("answers: 503"),
    occursAt: ({ kind, answer }) => kind === "reply" && typeof answer === "number" && answer >= 400,
    scenario: "webhooks/retries-until-acknowledged"
  },
  {
    name: "receiver redirect",
    what: "The receiver responds with a redirect, which is not followed.",
    written: next("answers: 302"),
    occursAt: ({ kind, answer }) => kind === "reply" && typeof answer === "number" && answer >= 300 && answer < 400,
    scenario: "webhooks/retries-until-acknowledged"
  },
  {
    name: "receiver timeout",
    what: "The receiver reads the request and never responds, until the service hangs up.",
    written: next("answers: NOTHING"),
    occursAt: ({ kind, receiver }, earlier) =>
      kind === "hangup" && !hasStalled(earlier, receiver) && hasArrived(earlier, receiver),
    scenario: "webhooks/retries-until-acknowledged"
  },
  {
    name: "receiver slow",
    what: "The receiver responds after a delay.",
    written: next("after: 4s"),
    occursAt: ({ kind, receiver, delivery, at }, earlier) =>
      kind === "reply" && !hasStalled(earlier, receiver) && (arrivalOf(earlier, delivery)?.["at"] ?? at) !== at,
    scenario: "webhooks/slow-receiver"
  },
  {
    name: "receiver reset",
    what: "The receiver closes the connection before it has read the request.",
    written: next("answers: RESET"),
    occursAt: ({ kind, answer }) => kind === "reply" && answer === "RESET",
    scenario: "webhooks/retries-until-acknowledged"
  },
  {
    name: "receiver lost response",
    what: "The receiver accepts the webhook request, and its response is lost.",
    written: next("answers: LOST"),
    occursAt: ({ kind, answer }) => kind === "reply" && answer === "LOST",
    scenario: "webhooks/retries-until-acknowledged"
  }
]

const hasArrived = (earlier: Lines, receiver: unknown): boolean =>
  ["received", "callback"].includes(String(atReceiver(earlier, receiver).at(-1)?.["kind"]))

const connections: ReadonlyArray<Fault> = [
  {
    name: "receiver refused",
    what: "The receiver accepts no connection.",
    written: next("connects: REFUSED"),
    occursAt: ({ kind, why }) => kind === "unconnected" && why === "REFUSED",
    scenario: "faults/unreachable-receiver"
  },
  {
    name: "receiver untrusted",
    what: "The receiver presents the certificate of another host.",
    written: next("connects: UNTRUSTED"),
    occursAt: ({ kind, why }) => kind === "unconnected" && why === "UNTRUSTED",
    scenario: "faults/unreachable-receiver"
  },
  {
    name: "receiver stalled handshake",
    what: "The connection opens only after the operator's goOn; nothing is sent before.",
    written: next("stalls: HANDSHAKE"),
    occursAt: ({ kind, during }) => kind === "stalled" && during === "HANDSHAKE",
    scenario: "webhooks/revoked-during-attempt"
  },
  {
    name: "receiver stalled response",
    what: "The receiver has responded, and its response arrives only after the operator's goOn.",
    written: next("stalls: ANSWER"),
    occursAt: ({ kind, during }) => kind === "stalled" && during === "ANSWER",
    scenario: "faults/worker-crash"
  }
]

const arrivals: ReadonlyArray<Fault> = [
  {
    name: "receiver duplicate",
    what: "The network delivers one request twice.",
    written: next("arrives: TWICE"),
    occursAt: ({ kind, delivery }, earlier) =>
      kind === "received" && earlier.at(-1)?.["kind"] === "received" && earlier.at(-1)?.["delivery"] === delivery,
    scenario: "webhooks/duplicates-and-reordering"
  },
  {
    name: "receiver reordered",
    what: "A request arrives after a later one.",
    written: next("arrives: LATE"),
    occursAt: (line, earlier) => line["kind"] === "received" && wasOvertaken(line, earlier),
    scenario: "webhooks/duplicates-and-reordering"
  },
  {
    name: "receiver clock skew",
    what: "The receiver's clock is off, and it rejects a fresh webhook request as stale.",
    written: "{ as: operator, do: setReceiver, input: { receiver: hooks, clock: -10m } }",
    occursAt: ({ kind, made }) => kind === "received" && made === "STALE",
    scenario: "faults/receiver-clock-skew"
  }
]

const onLookup =
  (matches: (line: JsonObject, earlier: Lines) => boolean): Fault["occursAt"] =>
  (line, earlier) =>
    line["kind"] === "lookup" && matches(line, earlier)

const addressesOf = ({ answers }: JsonObject): ReadonlyArray<unknown> => (Array.isArray(answers) ? answers : [])

/** Whether an address is public, judged independently of the service. */
const isPublic = (address: unknown): boolean => isPublicAddress(String(address))

const names: ReadonlyArray<Fault> = [
  {
    name: "DNS changed addresses",
    what: "A name resolves to other addresses than at the last look-up.",
    written: '{ as: operator, do: setZone, input: { name: hooks.example.com, answers: ["93.184.215.15"] } }',
    occursAt: onLookup((line, earlier) => {
      const before = earlier.findLast(({ kind, host }) => kind === "lookup" && host === line["host"])
      return before !== undefined && addressesOf(line).join() !== addressesOf(before).join()
    }),
    scenario: "webhooks/private-addresses"
  },
  {
    name: "DNS private",
    what: "A name resolves to a private address, which is refused.",
    written: next('finds: ["10.0.0.5"]'),
    occursAt: onLookup((line) => addressesOf(line).length > 0 && !addressesOf(line).some(isPublic)),
    scenario: "webhooks/private-addresses"
  },
  {
    name: "DNS mixed",
    what: "A name resolves to public and private addresses, all of which are refused.",
    written: next('finds: ["93.184.215.14", "10.0.0.5"]'),
    occursAt: onLookup((line) => addressesOf(line).some(isPublic) && !addressesOf(line).every(isPublic)),
    scenario: "webhooks/private-addresses"
  },
  {
    name: "DNS NXDOMAIN",
    what: "The name does not exist.",
    written: next("finds: NXDOMAIN"),
    occursAt: onLookup(({ answers }) => answers === "NXDOMAIN"),
    scenario: "webhooks/private-addresses"
  },
  {
    name: "DNS no resolver",
    what: "No resolver answers, and the name is not resolved.",
    written: next("finds: UNREACHABLE"),
    occursAt: onLookup(({ answers }) => answers === "UNREACHABLE"),
    scenario: "webhooks/private-addresses"
  }
]

export const receiverFaults: ReadonlyArray<Fault> = [...answers, ...connections, ...arrivals, ...names]
