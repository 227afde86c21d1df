/** All agents of a person, newest first. */
import { Layer } from "effect"
import { listGrantPage, type GrantDetails } from "../../access/grants.ts"
import type { Role } from "../../access/actions.ts"
import { limits } from "../../vocabulary/limits.ts"
import { labelFilter, organizationFilter } from "../kit/filters.ts"
import { untrusted } from "../kit/html.ts"
import { roleLabels } from "../kit/labels.ts"
import { listPage, type List } from "../kit/list.ts"
import { linkTo, nextStep, paragraph, time, aboveId } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { agentPage } from "./agent.ts"
import { agentCreation } from "./create-grant.ts"
import { actionList, agentPath, lastUse, stateBadge } from "./grant.ts"

const showAgents = signedInPage("/workspace/agents", function* ({ person, viewer }) {
  const memberships = yield* readMemberships(person)
  return yield* listPage({
    title: "My agents",
    viewer,
    place: "agents",
    list: agentList(memberships),
    read: ({ valueOf, turn }) => {
      const filter = { organizationId: valueOf("organization"), role: valueOf("side") as Role | undefined }
      return listGrantPage(person, filter, { ...turn, limit: limits.itemsOnPage })
    },
    before: "An agent does what you let it do, in your name, until you revoke it or it expires.",
    after: [
      nextStep("/workspace/connect", "Connect an agent"),
      paragraph(linkTo("/workspace/agents/new", "Create a token manually"), " for an agent that cannot show a code.")
    ]
  })
})

const agentList = (memberships: ReadonlyArray<Membership>): List<GrantDetails> => ({
  name: "agents",
  path: "/workspace/agents",
  caption: "Agents that act for me, newest first",
  columns: [
    {
      heading: "Agent",
      cell: ({ grant }) => aboveId(linkTo(agentPath(grant.grantId), untrusted(grant.agentName)), grant.agentId)
    },
    { heading: "State", cell: stateBadge },
    {
      heading: "For",
      cell: ({ grant: { organizationId, role } }) => [
        untrusted(memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? organizationId),
        `, ${roleLabels[role].toLowerCase()}`
      ]
    },
    { heading: "May do", cell: actionList },
    { heading: "Projects", cell: ({ projectIds }) => String(projectIds.length) },
    { heading: "Proposals", cell: ({ proposalIds }) => String(proposalIds.length) },
    { heading: "Last used", cell: lastUse },
    { heading: "Ends", cell: ({ grant }) => time(grant.expiresAt) }
  ],
  filters: [labelFilter("side", "Side", roleLabels), ...organizationFilter(memberships)],
  empty: "No agent acts for you yet."
})

export const agentPages = Layer.mergeAll(showAgents, agentCreation, agentPage)
