/** A receiver with two paths: requests to `/steady` are acknowledged, and requests to `/shaky` sometimes fail. */
import { answer, startLoggingReceiver, type Logged } from "../processes/callback-processes.ts"

export interface Moods {
  /** False once every request is acknowledged. */
  areShown: boolean
  /** The timeout of a send in milliseconds. */
  readonly timeout: number
}

export const startMoodyReceiver = (moods: Moods) =>
  startLoggingReceiver((logged) => {
    const mood = moods.areShown && logged.path.startsWith("/shaky") ? Math.random() : 1
    if (mood < 0.12) return answer(logged, 503)
    if (mood < 0.18) return logged.arrival.reset()
    // Does not answer until the send has timed out.
    if (mood < 0.22) return
    const slowly = moods.areShown ? Math.random() * 0.4 * moods.timeout : 0
    setTimeout(() => answer(logged, 204), slowly)
  })

export const deliveryOf = ({ headers }: Logged): string => headers["service-delivery-id"] ?? ""
