/** All agents of a person, newest first. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { listGrants } from "../../access/grants.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, nextStep, paragraph, table, time } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { roleLabels } from "../kit/labels.ts"
import { agentPage } from "./agent.ts"
import { agentCreation } from "./create-grant.ts"
import { actionList, agentPath, lastUse, readGrantNames, stateBadge } from "./grant.ts"

const showAgents = signedInPage("/workspace/agents", (visitor) =>
  Effect.gen(function* () {
    const grants = yield* listGrants(visitor.person)
    const names = yield* readGrantNames(visitor)
    return page(
      { title: "My agents", viewer: visitor.viewer, place: "agents" },
      "An agent does what you let it do, in your name, until you revoke it or it expires.",
      table({
        caption: "Agents that act for me",
        columns: ["Agent", "State", "For", "May do", "Projects", "Proposals", "Last used", "Ends"],
        rows: grants.map((model) => [
          [
            linkTo(agentPath(model.grant.grantId), untrusted(model.grant.agentName)),
            h("br", null),
            h("code", null, model.grant.agentId)
          ],
          stateBadge(model),
          [names.organization(model.grant.organizationId), `, ${roleLabels[model.grant.role].toLowerCase()}`],
          actionList(model),
          String(model.projectIds.length),
          String(model.proposalIds.length),
          lastUse(model),
          time(model.grant.expiresAt)
        ]),
        empty: "No agent acts for you yet."
      }),
      nextStep("/workspace/connect", "Connect an agent"),
      paragraph(linkTo("/workspace/agents/new", "Create a token manually"), " for an agent that cannot show a code.")
    )
  })
)

export const agentPages = Layer.mergeAll(showAgents, agentCreation, agentPage)
