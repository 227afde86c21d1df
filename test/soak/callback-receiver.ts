/** A receiver with moods: what comes at `/steady` is acknowledged, what comes at `/shaky` fails now and then. */
import { answer, startLoggingReceiver, type Logged } from "../processes/callback-processes.ts"

export interface Moods {
  /** False once everything is acknowledged. */
  areShown: boolean
  /** The deadline of a send in milliseconds. */
  readonly timeout: number
}

export const startMoodyReceiver = (moods: Moods) =>
  startLoggingReceiver((logged) => {
    const mood = moods.areShown && logged.path.startsWith("/shaky") ? Math.random() : 1
    if (mood < 0.12) return answer(logged, 503)
    if (mood < 0.18) return logged.arrival.reset()
    // Says nothing, until the deadline of the send has passed.
    if (mood < 0.22) return
    const slowly = moods.areShown ? Math.random() * 0.4 * moods.timeout : 0
    setTimeout(() => answer(logged, 204), slowly)
  })

export const deliveryOf = ({ headers }: Logged): string => headers["service-delivery-id"] ?? ""
