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
  /** The deliveries whose attempt was recorded. */
  readonly recorded: ReadonlySet<string>
  /** When the first byte of each delivery's request was written. */
  readonly firstBytes: ReadonlyMap<string, number>
  readonly requests: ReadonlyArray<ArrivedRequest>
}

/** The longest time from the first byte of a request to the arrival of its last byte, in milliseconds. */
const transit = 1_000

export const checkStop = (round: StoppedRound) => {
  const { stop, stopped, queued, acknowledged, firstBytes } = round
  const before = [...firstBytes]
    .filter(([deliveryId]) => stopped.includes(queued.get(deliveryId)!))
    .map(([, writtenAt]) => acknowledged.acknowledgedAt - writtenAt)
    .filter((milliseconds) => milliseconds >= 0)
  const violations = [
    acknowledged.status === 200 ? [] : [`it was answered ${acknowledged.status} ${acknowledged.text}`],
    stop === "rotation" ? [] : bytesAfterStop(round),
    unrecordedRequests(round),
    slowRequests(round),
    badSignatures(round),
    missingDeliveries(round)
  ].flat()
  return {
    before: before.length,
    closest: Math.min(...before),
    violations: violations.map((violation) => `${stop}: ${violation}`)
  }
}

/** Once a revocation or a pause is acknowledged, no request begins. */
const bytesAfterStop = ({ stopped, queued, acknowledged: { acknowledgedAt }, firstBytes }: StoppedRound) =>
  [...firstBytes]
    .filter(([deliveryId, writtenAt]) => stopped.includes(queued.get(deliveryId)!) && writtenAt > acknowledgedAt)
    .map(([deliveryId, writtenAt]) => {
      const milliseconds = (writtenAt - acknowledgedAt).toFixed(1)
      return `the first byte of ${deliveryId} was written ${milliseconds} ms after the acknowledgement`
    })

/** No byte is written without a recorded attempt. */
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

/**
 * What begins after the acknowledgement of a rotation is signed with the new secret; what began before its request, with the
 * earlier one.
 */
const badSignatures = ({ stop, stopped, queued, acknowledged, firstBytes, requests }: StoppedRound) => {
  const { sentAt, acknowledgedAt, text } = acknowledged
  const rotated: string = stop === "rotation" ? JSON.parse(text).secret : ""
  const secretsOf = (subscription: Subscription, writtenAt: number) => {
    if (stop !== "rotation" || !stopped.includes(subscription) || writtenAt < sentAt) return [subscription.secret]
    return writtenAt > acknowledgedAt ? [rotated] : [subscription.secret, rotated]
  }
  return requests.flatMap((request) => {
    const deliveryId = deliveryOf(request)
    const subscription = queued.get(deliveryId)
    if (subscription === undefined) return [`an unknown delivery ${deliveryId} arrived`]
    const isSignedWith = (secret: string) =>
      only(request, "service-signature") === signatureOf(secret, only(request, "service-timestamp"), request.body)
    const isSigned = secretsOf(subscription, firstBytes.get(deliveryId) ?? Infinity).some(isSignedWith)
    return isSigned ? [] : [`a request of ${deliveryId} has a wrong signature`]
  })
}

/** Every request that was written arrives once, and every delivery of a subscription that was not ended or paused is sent. */
const missingDeliveries = ({ stop, stopped, queued, firstBytes, requests }: StoppedRound) => {
  const arrivals = Map.groupBy(requests, deliveryOf)
  return [...queued].flatMap(([deliveryId, subscription]) => {
    const isStopped = stop !== "rotation" && stopped.includes(subscription)
    const times = arrivals.get(deliveryId)?.length ?? 0
    return times === Number(!isStopped || firstBytes.has(deliveryId)) ? [] : [`${deliveryId} arrived ${times} times`]
  })
}

const only = ({ headers }: ArrivedRequest, name: string): string => headers[name]?.[0] ?? ""

const deliveryOf = (request: ArrivedRequest): string => only(request, "service-delivery-id")
