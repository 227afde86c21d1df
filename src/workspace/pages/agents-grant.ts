/** A grant as its pages show it: who the agent is, how it stands, and what it may do. */
import { Effect } from "effect"
import type { SeenGrant } from "../../access/grants.ts"
import { readStanding } from "../../people/standing.ts"
import { listProjects } from "../../projects/sides.ts"
import { untrusted, type Content } from "../html.ts"
import { badge, list, time } from "../parts.ts"
import type { Visitor } from "../signed-in.ts"
import { actionWords } from "../words.ts"

export const agentPath = (grantId: string): `/workspace/${string}` => `/workspace/agents/${grantId}`

/** The names that a grant itself holds only as ids. */
export interface Names {
  readonly organization: (organizationId: string) => Content
  readonly project: (projectId: string) => Content
}

export const readNames = Effect.fnUntraced(function* ({ person }: Visitor) {
  const { memberships } = yield* readStanding(person)
  const projects = yield* listProjects(person)
  return {
    organization: (organizationId) =>
      untrusted(memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? organizationId),
    project: (projectId) => untrusted(projects.find((one) => one.projectId === projectId)?.title ?? projectId)
  } satisfies Names
})

/** What stands against a grant comes first: the person sees why an agent cannot act. */
export const stateBadge = ({ state, isParentLive, isCollected }: SeenGrant): Content => {
  if (state === "REVOKED") return badge("ended", "revoked")
  if (state === "EXPIRED") return badge("ended", "expired")
  if (!isParentLive) return badge("ended", "membership ended")
  return isCollected ? badge("good", "active") : badge("waiting", "not collected yet")
}

export const actionList = ({ grant: { actions } }: SeenGrant): Content =>
  actions.length === 0 ? "Read only" : list(actions.map((action) => actionWords[action]))

export const lastUse = ({ lastUsedAt }: SeenGrant): Content => (lastUsedAt === null ? "never" : time(lastUsedAt))
