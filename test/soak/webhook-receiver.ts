/** A receiver with two paths: requests to `/steady` are acknowledged, and requests to `/shaky` sometimes fail. */
import { respond, startLoggingReceiver, type LoggedRequest } from "../processes/webhook-processes.ts"

export interface ReceiverMode {
  /** False once every request is acknowledged. */
  isFlaky: boolean
  /** The timeout of a send in milliseconds. */
  readonly timeout: number
}

export const startFlakyReceiver = (moods: ReceiverMode) =>
  startLoggingReceiver((logged) => {
    const mood = moods.isFlaky && logged.path.startsWith("/shaky") ? Math.random() : 1
    if (mood < 0.12) return respond(logged, 503)
    if (mood < 0.18) return logged.arrival.reset()
    // Does not answer until the send has timed out.
    if (mood < 0.22) return
    const slowly = moods.isFlaky ? Math.random() * 0.4 * moods.timeout : 0
    setTimeout(() => respond(logged, 204), slowly)
  })

export const deliveryOf = ({ headers }: LoggedRequest): string => headers["service-delivery-id"] ?? ""
