/** A webhook request that the service did not send: well-formed and fresh, and signed with a guessed secret. */
import { createHmac } from "node:crypto"
import type { WebhookRequest } from "../../../src/ports/webhook-sender.ts"
import type { JsonObject } from "../../vocabulary/json.ts"

export const forgedRequest = (event: JsonObject, now: number): WebhookRequest => {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(now / 1000))
  const signature = createHmac("sha256", guessedSecret).update(`${timestamp}.${body}`, "utf8").digest("hex")
  return {
    headers: {
      "content-type": "application/json",
      "service-event-id": String(event["id"]),
      "service-delivery-id": `whd_${"0".repeat(64)}`,
      "service-timestamp": timestamp,
      "service-signature": `v1=${signature}`
    },
    body
  }
}

const guessedSecret = "a guess"
