/** Reads the bytes as sent, calls, answers. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PublicApi } from "../../api/public.ts"
import { receiveNotification } from "../../commerce/notifications.ts"
import { Load } from "../../http/load.ts"
import { readBody } from "../../http/read-body.ts"
import { limits } from "../../vocabulary/limits.ts"

export const paymentNotificationHandlers = HttpApiBuilder.group(PublicApi, "paymentNotifications", (handlers) =>
  Effect.map(Load, (load) =>
    handlers.handleRaw("receivePaymentNotification", ({ request }) =>
      readBody({ bytes: limits.paymentNotificationBytes, isAnonymous: true }).pipe(
        Effect.provideService(Load, load),
        Effect.orDie,
        Effect.flatMap((rawBody) => receiveNotification({ rawBody, headers: request.headers }))
      )
    )
  )
)
