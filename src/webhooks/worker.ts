/** Sends webhooks: immediately after a wake-up, and about every 15 seconds in any case (6.4). */
import { Effect, Layer } from "effect"
import { dispatchWebhooks } from "./dispatch.ts"

export const webhookWorker = Layer.effectDiscard(Effect.forkScoped(dispatchWebhooks))
