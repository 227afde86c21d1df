/** The answer that carries an agent's token: to the form itself, never to an address, and kept nowhere. */
import { Effect } from "effect"
import { h } from "preact"
import type { ShownCredential } from "../../access/credential.ts"
import { Installation } from "../../ports/installation.ts"
import { untrusted } from "../html.ts"
import { page } from "../page.ts"
import { code, facts, linkTo, notice, paragraph, section, time } from "../parts.ts"
import { pageResponse } from "../response.ts"
import type { Visitor } from "../visitor.ts"
import { agentPath } from "./agents-grant.ts"

export const showToken = Effect.fnUntraced(function* (
  { viewer }: Visitor,
  agentName: string,
  { token, grantId, agentId, expiresAt }: ShownCredential
) {
  const { siteUrl } = yield* Installation
  return pageResponse(
    page(
      { title: "The agent’s token", viewer, place: "agents" },
      notice(
        "warning",
        paragraph(
          "This token is shown here and nowhere else. Whoever has it can do what the agent may: keep it as you keep a password."
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
        "If this page was lost on its way, send the form once more: the same token is shown until it is used, for ten minutes at most."
      ),
      paragraph(linkTo(agentPath(grantId), "Go to the agent"))
    )
  )
})
