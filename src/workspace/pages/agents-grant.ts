/** The facts of a grant: agent, state and scope. */
import { Effect } from "effect"
import { h } from "preact"
import type { SeenGrant } from "../../access/grants.ts"
import { readStanding } from "../../people/standing.ts"
import { nameParties } from "../../projects/named.ts"
import { listProjects } from "../../projects/sides.ts"
import { identityOfProposal, readReachedProposals } from "../grant-proposals.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../html.ts"
import { badge, facts, linkTo, list, paragraph, section, time } from "../parts.ts"
import { identityOf } from "../project-identity.ts"
import { proposalPath } from "../proposal-identity.ts"
import type { Visitor } from "../visitor.ts"
import { actionWords, decisionWords, roleWords } from "../words.ts"

export const agentPath = (grantId: string): `/workspace/${string}` => `/workspace/agents/${grantId}`

/** The names for the ids in a grant. */
export interface Names {
  readonly organization: (organizationId: string) => Content
  readonly project: (projectId: string) => Content
  readonly proposal: (proposalId: string) => Content
}

/** Only the proposals that are shown are read: a person can have access to many. */
export const readNames = Effect.fnUntraced(function* (visitor: Visitor, proposalIds: ReadonlyArray<string> = []) {
  const { person } = visitor
  const { memberships } = yield* readStanding(person)
  const proposals = yield* readReachedProposals(visitor, proposalIds)
  const projects = yield* nameParties(yield* listProjects(person))
  return {
    organization: (organizationId) =>
      untrusted(memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? organizationId),
    project: (projectId) => {
      const project = projects.find((one) => one.projectId === projectId)
      return project === undefined
        ? h("code", null, projectId)
        : [untrusted(project.title), h("div", { class: "hint" }, identityOf(project))]
    },
    proposal: (proposalId) => {
      const proposal = proposals.find(({ id }) => id === proposalId)
      return proposal === undefined
        ? h("code", null, proposalId)
        : [
            linkTo(proposalPath(proposalId), untrusted(proposal.title)),
            h("div", { class: "hint" }, identityOfProposal(proposal))
          ]
    }
  } satisfies Names
})

export const grantFacts = (model: SeenGrant, names: Names): Element => {
  const { grant, projectIds, proposalIds } = model
  return facts([
    ["State", stateBadge(model)],
    ["Agent", grant.agentId],
    ["For", [names.organization(grant.organizationId), `, as ${roleWords[grant.role].toLowerCase()}`]],
    ["May do", actionList(model)],
    ["Projects", projectIds.length === 0 ? "none yet" : list(projectIds.map((id) => names.project(id)))],
    ["Proposals", proposalIds.length === 0 ? "none yet" : list(proposalIds.map((id) => names.proposal(id)))],
    ["Made", time(grant.createdAt)],
    ["Last used", lastUse(model)],
    grant.revokedAt === null ? ["Ends", time(grant.expiresAt)] : ["Revoked", time(grant.revokedAt)]
  ])
}

/** The requirements for every agreement created under the grant; empty where it has none. */
export const grantRequirements = ({ grant: { subjectRequirements } }: SeenGrant): Content =>
  subjectRequirements.length === 0
    ? null
    : section(
        "Requirements for what it creates",
        subjectRequirements.map(({ statement, humanDecisions }) => [
          untrustedLines(statement),
          humanDecisions.length === 0
            ? null
            : paragraph(
                "Reserved for people: ",
                humanDecisions.map((decision) => decisionWords[decision]).join("; "),
                "."
              )
        ])
      )

/** The reason why an agent cannot act takes precedence. */
export const stateBadge = ({ state, isParentLive, isCollected }: SeenGrant): Content => {
  if (state === "REVOKED") return badge("ended", "revoked")
  if (state === "EXPIRED") return badge("ended", "expired")
  if (!isParentLive) return badge("ended", "membership ended")
  return isCollected ? badge("good", "active") : badge("waiting", "not collected yet")
}

export const actionList = ({ grant: { actions } }: SeenGrant): Content =>
  actions.length === 0 ? "Read only" : list(actions.map((action) => actionWords[action]))

export const lastUse = ({ lastUsedAt }: SeenGrant): Content => (lastUsedAt === null ? "never" : time(lastUsedAt))
