/** The response that shows an agent's token: only to the form's submission, never in a URL, and never stored. */
import { Effect } from "effect"
import { h } from "preact"
import type { CredentialWithToken } from "../../access/credential.ts"
import { Installation } from "../../ports/installation.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { code, facts, linkTo, notice, paragraph, section, time } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { agentPath } from "./grant.ts"

export const showToken = Effect.fnUntraced(function* (
  { viewer }: Visitor,
  agentName: string,
  { token, grantId, agentId, expiresAt }: CredentialWithToken
) {
  const { siteUrl } = yield* Installation
  return pageResponse(
    page(
      { title: "The agent’s token", viewer, place: "agents" },
      notice(
        "warning",
        paragraph(
          "This token is shown only here. It permits everything that the agent may do: keep it as secret as a password."
        )
      ),
      facts([
        ["Agent", [untrusted(agentName), h("br", null), h("code", null, agentId)]],
        ["Token", code(token)],
        ["Ends", time(expiresAt)]
      ]),
      section(
        "How the agent uses it",
        paragraph("Put it where your agent keeps its secrets. The agent sends it with every request:"),
        paragraph(h("code", null, "Authorization: Bearer ", h("em", null, "the token"))),
        paragraph("Its operations are at ", h("code", null, `${siteUrl}/api/agents/v1`), ".")
      ),
      paragraph(
        "If this page did not arrive, send the form again: the same token is shown until it is used, for at most ten minutes."
      ),
      paragraph(linkTo(agentPath(grantId), "Go to the agent"))
    )
  )
})
