/** A grant as its pages show it: who the agent is, how it stands, and what it may do. */
import { Effect } from "effect"
import { h } from "preact"
import type { SeenGrant } from "../../access/grants.ts"
import { readStanding } from "../../people/standing.ts"
import { nameParties } from "../../projects/named.ts"
import { listProjects } from "../../projects/sides.ts"
import { untrusted, type Content, type Element } from "../html.ts"
import { badge, facts, list, time } from "../parts.ts"
import { identityOf } from "../project-identity.ts"
import type { Visitor } from "../visitor.ts"
import { roleWords, sayAction } from "../words.ts"

export const agentPath = (grantId: string): `/workspace/${string}` => `/workspace/agents/${grantId}`

/** The names that a grant itself holds only as ids. */
export interface Names {
  readonly organization: (organizationId: string) => Content
  readonly project: (projectId: string) => Content
}

export const readNames = Effect.fnUntraced(function* ({ person }: Visitor) {
  const { memberships } = yield* readStanding(person)
  const projects = yield* nameParties(yield* listProjects(person))
  return {
    organization: (organizationId) =>
      untrusted(memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? organizationId),
    project: (projectId) => {
      const project = projects.find((one) => one.projectId === projectId)
      return project === undefined
        ? h("code", null, projectId)
        : [untrusted(project.title), h("div", { class: "hint" }, identityOf(project))]
    }
  } satisfies Names
})

export const grantFacts = (seen: SeenGrant, names: Names): Element => {
  const { grant, projectIds } = seen
  return facts([
    ["State", stateBadge(seen)],
    ["Agent", grant.agentId],
    ["For", [names.organization(grant.organizationId), `, as ${roleWords[grant.role].toLowerCase()}`]],
    ["May do", actionList(seen)],
    ["Projects", projectIds.length === 0 ? "none yet" : list(projectIds.map((id) => names.project(id)))],
    ["Made", time(grant.createdAt)],
    ["Last used", lastUse(seen)],
    grant.revokedAt === null ? ["Ends", time(grant.expiresAt)] : ["Revoked", time(grant.revokedAt)]
  ])
}

/** What stands against a grant comes first: the person sees why an agent cannot act. */
export const stateBadge = ({ state, isParentLive, isCollected }: SeenGrant): Content => {
  if (state === "REVOKED") return badge("ended", "revoked")
  if (state === "EXPIRED") return badge("ended", "expired")
  if (!isParentLive) return badge("ended", "membership ended")
  return isCollected ? badge("good", "active") : badge("waiting", "not collected yet")
}

export const actionList = ({ grant: { actions } }: SeenGrant): Content =>
  actions.length === 0 ? "Read only" : list(actions.map(sayAction))

export const lastUse = ({ lastUsedAt }: SeenGrant): Content => (lastUsedAt === null ? "never" : time(lastUsedAt))
