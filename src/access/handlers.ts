/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api.ts"
import { answer } from "../http/answer.ts"
import { originOf } from "../http/transport.ts"
import { CallbackPace } from "../ports/callback-pace.ts"
import { pollConnection, startConnection } from "./connections.ts"
import { readGrant } from "./operations.ts"
import { capabilitiesAt, viewGrant, viewPoll } from "./view.ts"

export const capabilityHandlers = HttpApiBuilder.group(Api, "capabilities", (handlers) =>
  handlers.handleAll({ capabilities: () => Effect.map(CallbackPace, capabilitiesAt) })
)

export const connectionHandlers = HttpApiBuilder.group(Api, "connections", (handlers) =>
  handlers.handleAll({
    startConnection: ({ payload }) => answer(Effect.flatMap(originOf, (origin) => startConnection(payload, origin))),
    pollConnection: ({ payload }) => answer(Effect.map(pollConnection(payload.deviceCode), viewPoll))
  })
)

export const meHandlers = HttpApiBuilder.group(Api, "me", (handlers) =>
  handlers.handleAll({ me: () => answer(Effect.map(readGrant(), viewGrant)) })
)
