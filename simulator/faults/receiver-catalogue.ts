/** Faults between the service and webhook receivers: DNS, connections, responses and clocks. */
import { isPublicAddress } from "../callbacks/public-addresses.ts"
import type { JsonObject } from "../script/json.ts"
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
    seenAs: ({ kind, answer }) => kind === "reply" && typeof answer === "number" && answer >= 400,
    scenario: "61-tried-again-until-it-is-taken"
  },
  {
    name: "receiver redirect",
    what: "The receiver responds with a redirect, which is not followed.",
    written: next("answers: 302"),
    seenAs: ({ kind, answer }) => kind === "reply" && typeof answer === "number" && answer >= 300 && answer < 400,
    scenario: "61-tried-again-until-it-is-taken"
  },
  {
    name: "receiver timeout",
    what: "The receiver reads the request and never responds, until the service hangs up.",
    written: next("answers: NOTHING"),
    seenAs: ({ kind, receiver }, earlier) =>
      kind === "hangup" && !hasStalled(earlier, receiver) && hasArrived(earlier, receiver),
    scenario: "61-tried-again-until-it-is-taken"
  },
  {
    name: "receiver slow",
    what: "The receiver responds after a delay.",
    written: next("after: 4s"),
    seenAs: ({ kind, receiver, delivery, at }, earlier) =>
      kind === "reply" && !hasStalled(earlier, receiver) && (arrivalOf(earlier, delivery)?.["at"] ?? at) !== at,
    scenario: "73-a-slow-receiver-beside-others"
  },
  {
    name: "receiver reset",
    what: "The receiver closes the connection before it has read the request.",
    written: next("answers: RESET"),
    seenAs: ({ kind, answer }) => kind === "reply" && answer === "RESET",
    scenario: "61-tried-again-until-it-is-taken"
  },
  {
    name: "receiver lost answer",
    what: "The receiver accepts the webhook request, and its response is lost.",
    written: next("answers: LOST"),
    seenAs: ({ kind, answer }) => kind === "reply" && answer === "LOST",
    scenario: "61-tried-again-until-it-is-taken"
  }
]

const hasArrived = (earlier: Lines, receiver: unknown): boolean =>
  ["received", "callback"].includes(String(atReceiver(earlier, receiver).at(-1)?.["kind"]))

const connections: ReadonlyArray<Fault> = [
  {
    name: "receiver refused",
    what: "The receiver accepts no connection.",
    written: next("connects: REFUSED"),
    seenAs: ({ kind, why }) => kind === "unconnected" && why === "REFUSED",
    scenario: "103-a-receiver-that-cannot-be-reached"
  },
  {
    name: "receiver untrusted",
    what: "The receiver presents the certificate of another host.",
    written: next("connects: UNTRUSTED"),
    seenAs: ({ kind, why }) => kind === "unconnected" && why === "UNTRUSTED",
    scenario: "103-a-receiver-that-cannot-be-reached"
  },
  {
    name: "receiver stalls the handshake",
    what: "The connection opens only after the operator's goOn; nothing is sent before.",
    written: next("stalls: HANDSHAKE"),
    seenAs: ({ kind, during }) => kind === "stalled" && during === "HANDSHAKE",
    scenario: "65-revoked-while-a-receiver-stalls"
  },
  {
    name: "receiver stalls the answer",
    what: "The receiver has responded, and its response arrives only after the operator's goOn.",
    written: next("stalls: ANSWER"),
    seenAs: ({ kind, during }) => kind === "stalled" && during === "ANSWER",
    scenario: "70-a-worker-crashes"
  }
]

const arrivals: ReadonlyArray<Fault> = [
  {
    name: "receiver duplicate",
    what: "The network delivers one request twice.",
    written: next("arrives: TWICE"),
    seenAs: ({ kind, delivery }, earlier) =>
      kind === "received" && earlier.at(-1)?.["kind"] === "received" && earlier.at(-1)?.["delivery"] === delivery,
    scenario: "69-twice-and-in-another-order"
  },
  {
    name: "receiver reordered",
    what: "A request arrives after a later one.",
    written: next("arrives: LATE"),
    seenAs: (line, earlier) => line["kind"] === "received" && wasOvertaken(line, earlier),
    scenario: "69-twice-and-in-another-order"
  },
  {
    name: "receiver clock skew",
    what: "The receiver's clock is off, and it rejects a fresh webhook request as stale.",
    written: "{ as: operator, do: setReceiver, input: { receiver: hooks, clock: -10m } }",
    seenAs: ({ kind, made }) => kind === "received" && made === "STALE",
    scenario: "104-a-receiver-whose-clock-is-wrong"
  }
]

const lookedUp =
  (matches: (line: JsonObject, earlier: Lines) => boolean): Fault["seenAs"] =>
  (line, earlier) =>
    line["kind"] === "lookup" && matches(line, earlier)

const addressesOf = ({ answers }: JsonObject): ReadonlyArray<unknown> => (Array.isArray(answers) ? answers : [])

/** Whether an address is public, judged independently of the service. */
const isPublic = (address: unknown): boolean => isPublicAddress(String(address))

const names: ReadonlyArray<Fault> = [
  {
    name: "DNS other addresses",
    what: "A name resolves to other addresses than at the last look-up.",
    written: '{ as: operator, do: setZone, input: { name: hooks.example.com, answers: ["93.184.215.15"] } }',
    seenAs: lookedUp((line, earlier) => {
      const before = earlier.findLast(({ kind, host }) => kind === "lookup" && host === line["host"])
      return before !== undefined && addressesOf(line).join() !== addressesOf(before).join()
    }),
    scenario: "67-names-that-lead-elsewhere"
  },
  {
    name: "DNS private",
    what: "A name resolves to a private address, which is refused.",
    written: next('finds: ["10.0.0.5"]'),
    seenAs: lookedUp((line) => addressesOf(line).length > 0 && !addressesOf(line).some(isPublic)),
    scenario: "67-names-that-lead-elsewhere"
  },
  {
    name: "DNS mixed",
    what: "A name resolves to public and private addresses, all of which are refused.",
    written: next('finds: ["93.184.215.14", "10.0.0.5"]'),
    seenAs: lookedUp((line) => addressesOf(line).some(isPublic) && !addressesOf(line).every(isPublic)),
    scenario: "67-names-that-lead-elsewhere"
  },
  {
    name: "DNS NXDOMAIN",
    what: "The name does not exist.",
    written: next("finds: NXDOMAIN"),
    seenAs: lookedUp(({ answers }) => answers === "NXDOMAIN"),
    scenario: "67-names-that-lead-elsewhere"
  },
  {
    name: "DNS no resolver",
    what: "No resolver answers, and the name is not resolved.",
    written: next("finds: UNREACHABLE"),
    seenAs: lookedUp(({ answers }) => answers === "UNREACHABLE"),
    scenario: "67-names-that-lead-elsewhere"
  }
]

export const faultsOfReceivers: ReadonlyArray<Fault> = [...answers, ...connections, ...arrivals, ...names]
