/** The facts of a grant: agent, state and scope. */
import { Effect } from "effect"
import { h } from "preact"
import type { GrantDetails } from "../../access/grants.ts"
import { readProfile } from "../../people/profile.ts"
import { addPartyNames } from "../../projects/party-names.ts"
import { listNewestProjects } from "../../projects/newest-projects.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { badge, facts, linkTo, list, section, time } from "../kit/parts.ts"
import { identityOf } from "../projects/identity.ts"
import { proposalPath } from "../proposals/identity.ts"
import type { Visitor } from "../kit/visitor.ts"
import { actionLabels, roleLabels } from "../kit/labels.ts"
import { requirementText } from "../agreements/facts.ts"
import { identityOfProposal, readProposalsById } from "./grant-proposals.ts"

export const agentPath = (grantId: string): `/workspace/${string}` => `/workspace/agents/${grantId}`

/** The names for the ids in a grant. */
export interface GrantNames {
  readonly organization: (organizationId: string) => Content
  readonly project: (projectId: string) => Content
  readonly proposal: (proposalId: string) => Content
}

/** Only the proposals that are shown are read: a person can have access to many. */
export const readGrantNames = Effect.fnUntraced(function* (visitor: Visitor, proposalIds: ReadonlyArray<string> = []) {
  const { person } = visitor
  const { memberships } = yield* readProfile(person)
  const proposals = yield* readProposalsById(visitor, proposalIds)
  const projects = yield* addPartyNames(yield* listNewestProjects(person))
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
  } satisfies GrantNames
})

export const grantFacts = (model: GrantDetails, names: GrantNames): Element => {
  const { grant, projectIds, proposalIds } = model
  return facts([
    ["State", stateBadge(model)],
    ["Agent", grant.agentId],
    ["For", [names.organization(grant.organizationId), `, as ${roleLabels[grant.role].toLowerCase()}`]],
    ["May do", actionList(model)],
    ["Projects", projectIds.length === 0 ? "none yet" : list(projectIds.map((id) => names.project(id)))],
    ["Proposals", proposalIds.length === 0 ? "none yet" : list(proposalIds.map((id) => names.proposal(id)))],
    ["Made", time(grant.createdAt)],
    ["Last used", lastUse(model)],
    grant.revokedAt === null ? ["Ends", time(grant.expiresAt)] : ["Revoked", time(grant.revokedAt)]
  ])
}

/** The requirements for every agreement created under the grant; empty where it has none. */
export const grantRequirements = ({ grant: { subjectRequirements } }: GrantDetails): Content =>
  subjectRequirements.length === 0
    ? null
    : section(
        "Requirements for what it creates",
        subjectRequirements.map(({ statement, humanDecisions }) => requirementText(statement, humanDecisions))
      )

/** The reason why an agent cannot act takes precedence. */
export const stateBadge = ({ state, isParentLive, isCollected }: GrantDetails): Content => {
  if (state === "REVOKED") return badge("ended", "revoked")
  if (state === "EXPIRED") return badge("ended", "expired")
  if (!isParentLive) return badge("ended", "membership ended")
  return isCollected ? badge("good", "active") : badge("waiting", "not collected yet")
}

export const actionList = ({ grant: { actions } }: GrantDetails): Content =>
  actions.length === 0 ? "Read only" : list(actions.map((action) => actionLabels[action]))

export const lastUse = ({ lastUsedAt }: GrantDetails): Content => (lastUsedAt === null ? "never" : time(lastUsedAt))
