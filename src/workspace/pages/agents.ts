/** All agents of a person, newest first. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { listGrants } from "../../access/grants.ts"
import { untrusted } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, nextStep, paragraph, table, time } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import { roleWords } from "../words.ts"
import { agentChanges } from "./agents-change.ts"
import { agentCreation } from "./agents-create.ts"
import { agentDetail } from "./agents-detail.ts"
import { actionList, agentPath, lastUse, readNames, stateBadge } from "./agents-grant.ts"

const showAgents = signedInPage("/workspace/agents", (visitor) =>
  Effect.gen(function* () {
    const grants = yield* listGrants(visitor.person)
    const names = yield* readNames(visitor)
    return pageResponse(
      page(
        { title: "My agents", viewer: visitor.viewer, place: "agents" },
        paragraph("An agent does what you let it do, in your name, until you revoke it or it expires."),
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
            [names.organization(model.grant.organizationId), `, ${roleWords[model.grant.role].toLowerCase()}`],
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
    )
  })
)

export const agentPages = Layer.mergeAll(showAgents, agentCreation, agentDetail, agentChanges)
