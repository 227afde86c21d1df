/** What a stop of webhooks promises, checked over the requests of one round. */
import { signatureOf } from "../../src/webhooks/signature.ts"
import type { Acknowledgement, ArrivedRequest } from "./subscriber.ts"
import type { Subscription } from "./webhook-stop-arena.ts"
import type { Stop } from "./webhook-stops.ts"

export interface StoppedRound {
  readonly stop: Stop
  readonly stopped: ReadonlyArray<Subscription>
  /** The subscription of each delivery. */
  readonly queued: ReadonlyMap<string, Subscription>
  readonly acknowledged: Acknowledgement
  /** The deliveries whose attempt was recorded, and those of them that were recorded before the stop. */
  readonly recorded: ReadonlySet<string>
  readonly recordedBefore: ReadonlySet<string>
  /** When the first byte of each delivery's request was written. */
  readonly firstBytes: ReadonlyMap<string, number>
  readonly requests: ReadonlyArray<ArrivedRequest>
}

/** The longest time from the first byte of a request to the arrival of its last byte, in milliseconds. */
const transit = 1_000

export const checkStop = (round: StoppedRound) => {
  const { stop, stopped, queued, acknowledged, firstBytes } = round
  const written = [...firstBytes]
    .filter(([deliveryId]) => stopped.includes(queued.get(deliveryId)!))
    .map(([, writtenAt]) => writtenAt - acknowledged.acknowledgedAt)
  const violations = [
    acknowledged.status === 200 ? [] : [`it was answered ${acknowledged.status} ${acknowledged.text}`],
    stop === "rotation" ? [] : attemptsAfterStop(round),
    unrecordedRequests(round),
    slowRequests(round),
    badSignatures(round),
    missingDeliveries(round)
  ].flat()
  return {
    before: written.filter((since) => since <= 0).length,
    after: written.filter((since) => since > 0).length,
    latest: Math.max(0, ...written),
    violations: violations.map((violation) => `${stop}: ${violation}`)
  }
}

const attemptsAfterStop = ({ stopped, queued, recorded, recordedBefore }: StoppedRound) =>
  [...recorded]
    .filter((deliveryId) => stopped.includes(queued.get(deliveryId)!) && !recordedBefore.has(deliveryId))
    .map((deliveryId) => `the attempt of ${deliveryId} was recorded after the stop`)

/** No byte is written before the attempt is durable, and none without an attempt. */
const unrecordedRequests = ({ recorded, firstBytes }: StoppedRound) =>
  [...firstBytes.keys()]
    .filter((deliveryId) => !recorded.has(deliveryId))
    .map((deliveryId) => `a request of ${deliveryId} was written without a recorded attempt`)

/** A request that was under way at the stop arrives soon. */
const slowRequests = ({ firstBytes, requests }: StoppedRound) =>
  requests.flatMap((request) => {
    const milliseconds = request.lastByteAt - (firstBytes.get(deliveryOf(request)) ?? -Infinity)
    return milliseconds <= transit
      ? []
      : [`the last byte of ${deliveryOf(request)} arrived ${milliseconds.toFixed(0)} ms after its first was written`]
  })

/** Attempts recorded after a rotation are signed with the new secret, all others with the earlier one. */
const badSignatures = ({ stop, stopped, queued, acknowledged, recordedBefore, requests }: StoppedRound) => {
  const rotated: string = stop === "rotation" ? JSON.parse(acknowledged.text).secret : ""
  return requests.flatMap((request) => {
    const deliveryId = deliveryOf(request)
    const subscription = queued.get(deliveryId)
    if (subscription === undefined) return [`an unknown delivery ${deliveryId} arrived`]
    const isAfter = stop === "rotation" && stopped.includes(subscription) && !recordedBefore.has(deliveryId)
    const signature = signatureOf(
      isAfter ? rotated : subscription.secret,
      only(request, "service-timestamp"),
      request.body
    )
    return only(request, "service-signature") === signature ? [] : [`a request of ${deliveryId} has a wrong signature`]
  })
}

/** Every recorded delivery arrives once, and every delivery of a subscription that was not ended or paused is recorded. */
const missingDeliveries = ({ stop, stopped, queued, recorded, requests }: StoppedRound) => {
  const arrivals = Map.groupBy(requests, deliveryOf)
  return [...queued].flatMap(([deliveryId, subscription]) => {
    const isStopped = stop !== "rotation" && stopped.includes(subscription)
    const times = arrivals.get(deliveryId)?.length ?? 0
    return times === Number(!isStopped || recorded.has(deliveryId)) ? [] : [`${deliveryId} arrived ${times} times`]
  })
}

const only = ({ headers }: ArrivedRequest, name: string): string => headers[name]?.[0] ?? ""

const deliveryOf = (request: ArrivedRequest): string => only(request, "service-delivery-id")
