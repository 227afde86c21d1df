/** The opaque ids of a subscription's history: delivery ids, and checkpoints for reading on from a delivery. Pure. */
import { digestOf, sha256Hex } from "../canonical/digest.ts"

const deliveryPrefix = "whd_"
const checkpointPrefix = `whc1_${deliveryPrefix}`

/** The id of one event's delivery to one subscription; the same for every attempt. */
export const formatDeliveryId = (subscriptionId: string, eventId: string): string =>
  `${deliveryPrefix}${digestOf({ subscriptionId, eventId })}`

/** The checkpoint after a delivery, or at the start of the history. */
export const formatCheckpoint = (subscriptionId: string, deliveryId: string | undefined): string =>
  `${checkpointPrefix}${sha256Hex(`${subscriptionId}.${deliveryId ?? ""}`)}`

/** `OUTDATED` is a checkpoint of the earlier format, a delivery id. A well-formed checkpoint may still be unknown. */
export const parseCheckpoint = (
  subscriptionId: string,
  text: string
): "START" | "AFTER_DELIVERY" | "OUTDATED" | "MALFORMED" => {
  if (text === formatCheckpoint(subscriptionId, undefined)) return "START"
  if (text.startsWith(deliveryPrefix)) return "OUTDATED"
  return checkpointPattern.test(text) ? "AFTER_DELIVERY" : "MALFORMED"
}

const checkpointPattern = new RegExp(`^${checkpointPrefix}[0-9a-f]{64}$`)
