/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api.ts"
import { answer } from "../http/answer.ts"
import { readGrant } from "./operations.ts"
import { agentCapabilities, viewGrant } from "./view.ts"

export const capabilityHandlers = HttpApiBuilder.group(Api, "capabilities", (handlers) =>
  handlers.handleAll({ capabilities: () => Effect.succeed(agentCapabilities) })
)

export const meHandlers = HttpApiBuilder.group(Api, "me", (handlers) =>
  handlers.handleAll({ me: () => answer(Effect.map(readGrant(), viewGrant)) })
)
