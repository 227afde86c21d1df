/** The options of a person who delegates to an agent, given by role, membership, projects and proposals. */
import {
  authorityFor,
  guardedActions,
  isForRole,
  isGuarded,
  actions,
  type Action,
  type GuardedAction,
  type Role
} from "../../access/actions.ts"
import type { ActingPerson } from "../../people/acting-person.ts"
import { addPartyNames, type ProjectWithPartyNames } from "../../projects/party-names.ts"
import { listNewestProjects } from "../../projects/newest-projects.ts"
import type { PartyProject } from "../../projects/party-projects.ts"
import { addMilliseconds, now as currentTime, type Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { traced } from "../../vocabulary/traced.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readMemberships } from "../organization/own-membership.ts"
import { readGrantableProposals, type NamedProposal } from "./grant-proposals.ts"

/** The organization that an agent acts for, and its role. */
export interface OrganizationRole {
  readonly organizationId: string
  readonly role: Role
}

export interface GrantChoices extends OrganizationRole {
  readonly organizationName: string
  /** The end of the membership, which bounds every grant under it. */
  readonly validUntil: Instant
  readonly projects: ReadonlyArray<ProjectWithPartyNames>
  readonly proposals: ReadonlyArray<NamedProposal>
  /** True where more proposals exist than are listed. */
  readonly areMoreProposals?: boolean
  /** The unguarded actions of this role that the membership permits. */
  readonly actions: ReadonlyArray<Action>
  readonly guarded: ReadonlyArray<GuardedAction>
  /** The actions of this role that the membership does not permit. */
  readonly withheld: ReadonlyArray<Action>
  /** True while the sign-in is recent enough for a guarded action. */
  readonly isRecent: boolean
}

/** The options for one role in one organization; refused where the person may not delegate there. */
export const readGrantChoices = traced("workspace.readGrantChoices")(function* (
  visitor: Visitor,
  { organizationId, role }: OrganizationRole
) {
  const { person } = visitor
  const now = yield* currentTime
  const membership = (yield* readMemberships(person, "DELEGATE")).find((one) => one.organizationId === organizationId)
  if (membership === undefined) {
    return yield* refuse("FORBIDDEN", { detail: "You may not let agents act for this organization." })
  }
  const { organizationName, validUntil, authorities } = membership
  const projects = (yield* listNewestProjects(person, organizationId)).filter((project) =>
    isOnSide(project, organizationId, role, person)
  )
  const { proposals, areMore } = yield* readGrantableProposals(visitor, { organizationId, role })
  const ofRole = actions.filter((action) => isForRole(action, role))
  const isPermitted = (action: Action) => authorities.includes(authorityFor(action, role))
  return {
    organizationId,
    organizationName,
    role,
    validUntil,
    projects: yield* addPartyNames(projects),
    proposals,
    areMoreProposals: areMore,
    actions: ofRole.filter((action) => isPermitted(action) && !isGuarded(action)),
    guarded: guardedActions.filter((action) => ofRole.includes(action) && isPermitted(action)),
    withheld: ofRole.filter((action) => !isPermitted(action)),
    isRecent: now < addMilliseconds(person.authenticatedAt, limits.recentSignIn)
  } satisfies GrantChoices
})

/**
 * The same rule as the operation's: a supplier's agent acts for the named representative, who can choose an
 * organization by this grant while the terms await an answer.
 */
const isOnSide = (project: PartyProject, organizationId: string, role: Role, { personId }: ActingPerson): boolean =>
  project.role === role &&
  (project.organizationId ?? organizationId) === organizationId &&
  (role === "BUYER" || project.supplierActorId === personId)
