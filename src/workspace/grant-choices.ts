/** The options of a person who delegates to an agent, given by role, membership, projects and proposals. */
import { Effect } from "effect"
import {
  authorityFor,
  guardedActions,
  isForRole,
  isGuarded,
  actions,
  type Action,
  type GuardedAction,
  type Role
} from "../access/actions.ts"
import type { Human } from "../people/human.ts"
import { readStanding } from "../people/standing.ts"
import { nameParties, type NamedProject } from "../projects/named.ts"
import { listProjects, type SidedProject } from "../projects/sides.ts"
import { addMilliseconds, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readOfferedProposals, type NamedProposal } from "./grant-proposals.ts"
import type { Visitor } from "./visitor.ts"

export interface GrantChoices {
  readonly organizationId: string
  readonly organizationName: string
  readonly role: Role
  /** The end of the membership, which bounds every grant under it. */
  readonly validUntil: Instant
  readonly projects: ReadonlyArray<NamedProject>
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
export const readGrantChoices = Effect.fn("workspace.readGrantChoices")(function* (
  visitor: Visitor,
  { organizationId, role }: { readonly organizationId: string; readonly role: Role }
) {
  const { person } = visitor
  const now = yield* currentTime
  const membership = (yield* readDelegations(person)).find((one) => one.organizationId === organizationId)
  if (membership === undefined) {
    return yield* refuse("FORBIDDEN", { detail: "You may not let agents act for this organization." })
  }
  const { organizationName, validUntil, authorities } = membership
  const projects = (yield* listProjects(person)).filter((project) => isOnSide(project, organizationId, role, person))
  const { proposals, areMore } = yield* readOfferedProposals(visitor, { organizationId, role })
  const ofRole = actions.filter((action) => isForRole(action, role))
  const isPermitted = (action: Action) => authorities.includes(authorityFor(action, role))
  return {
    organizationId,
    organizationName,
    role,
    validUntil,
    projects: yield* nameParties(projects),
    proposals,
    areMoreProposals: areMore,
    actions: ofRole.filter((action) => isPermitted(action) && !isGuarded(action)),
    guarded: guardedActions.filter((action) => ofRole.includes(action) && isPermitted(action)),
    withheld: ofRole.filter((action) => !isPermitted(action)),
    isRecent: now < addMilliseconds(person.authenticatedAt, limits.recentSignIn)
  } satisfies GrantChoices
})

/** The memberships that permit delegation. */
export const readDelegations = (by: Human) =>
  Effect.map(readStanding(by), ({ memberships }) =>
    memberships.filter(({ isInForce, authorities }) => isInForce && authorities.includes("DELEGATE"))
  )

/**
 * The same rule as the operation's: a supplier's agent acts for the named representative, who can choose an
 * organization by this grant while the terms await an answer.
 */
const isOnSide = (project: SidedProject, organizationId: string, role: Role, { personId }: Human): boolean =>
  project.role === role &&
  (project.organizationId ?? organizationId) === organizationId &&
  (role === "BUYER" || project.supplierActorId === personId)
