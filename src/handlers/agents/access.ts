/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/agents.ts"
import { clientAddress } from "../../http/transport.ts"
import { ConfiguredWebhookTiming } from "../../ports/webhook-timing.ts"
import { pollConnection, startConnection } from "../../access/connections.ts"
import { readGrant } from "../../access/operations.ts"
import { viewCapabilities, viewGrant, viewPoll } from "../../access/view.ts"

export const capabilityHandlers = HttpApiBuilder.group(Api, "capabilities", (handlers) =>
  handlers.handleAll({ capabilities: () => Effect.map(ConfiguredWebhookTiming, viewCapabilities) })
)

export const connectionHandlers = HttpApiBuilder.group(Api, "connections", (handlers) =>
  handlers.handleAll({
    startConnection: ({ payload }) => Effect.flatMap(clientAddress, (origin) => startConnection(payload, origin)),
    pollConnection: ({ payload }) => Effect.map(pollConnection(payload.deviceCode), viewPoll)
  })
)

export const meHandlers = HttpApiBuilder.group(Api, "me", (handlers) =>
  handlers.handleAll({ me: () => Effect.map(readGrant(), viewGrant) })
)
