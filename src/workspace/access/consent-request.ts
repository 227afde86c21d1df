/** An agent's description of itself and its request, which are unverified. */
import type { Effect } from "effect"
import type { readConnection } from "../../access/approval.ts"
import { isGuarded } from "../../access/actions.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { facts, list, section, time } from "../kit/parts.ts"
import { actionLabels, roleLabels } from "../kit/labels.ts"

export type ConnectionRequest = Effect.Success<ReturnType<typeof readConnection>>

export const requestSection = (connection: ConnectionRequest): Element =>
  section(
    "The agent’s request",
    "This is the agent’s own text. It is not verified, and none of it is preselected below.",
    facts([
      ["It calls itself", untrusted(connection.agentName)],
      ["It says it runs in", untrusted(connection.client)],
      [
        "It asks to act as",
        connection.requestedRole === null
          ? "neither buyer nor supplier in particular"
          : roleLabels[connection.requestedRole]
      ],
      ["It asks to", requestedActions(connection)]
    ]),
    "Known to this site:",
    facts([
      ["It asked from", originOf(connection)],
      ["It asked at", time(connection.createdAt)],
      ["Answer until", time(connection.expiresAt)]
    ])
  )

export const originOf = ({ origin }: ConnectionRequest): Content =>
  origin === null ? "an address that is not known" : untrusted(origin)

const requestedActions = ({ requestedActions }: ConnectionRequest) =>
  requestedActions.length === 0
    ? "no particular action"
    : list(
        requestedActions.map((action) =>
          isGuarded(action) ? `${actionLabels[action]} (needs a consent of its own)` : actionLabels[action]
        )
      )
