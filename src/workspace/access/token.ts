/** The response that shows an agent's token. */
import { Effect } from "effect"
import { h } from "preact"
import type { CredentialWithToken } from "../../access/credential.ts"
import { Installation } from "../../ports/installation.ts"
import { untrusted } from "../kit/html.ts"
import { code, paragraph, section, time, aboveId } from "../kit/parts.ts"
import { bearerHeader, secretPage } from "../kit/secret-page.ts"
import type { Visitor } from "../kit/visitor.ts"
import { agentPath } from "./grant.ts"

export const showToken = Effect.fnUntraced(function* (
  visitor: Visitor,
  agentName: string,
  { token, grantId, agentId, expiresAt }: CredentialWithToken
) {
  const { siteUrl } = yield* Installation
  return secretPage(visitor, {
    title: "The agent’s token",
    place: "agents",
    warning:
      "This token is shown only here. It permits everything that the agent may do: keep it as secret as a password.",
    facts: [
      ["Agent", aboveId(untrusted(agentName), agentId)],
      ["Token", code(token)],
      ["Ends", time(expiresAt)]
    ],
    usage: section(
      "How the agent uses it",
      "Put it where your agent keeps its secrets. The agent sends it with every request:",
      bearerHeader,
      paragraph("Its operations are at ", h("code", null, `${siteUrl}/api/agents/v1`), ".")
    ),
    ifLost:
      "If this page did not arrive, send the form again: the same token is shown until it is used, for at most ten minutes.",
    back: [agentPath(grantId), "Go to the agent"]
  })
})
