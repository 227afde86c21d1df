/** What a person can choose from when they let an agent act: their side, membership, projects and proposals set it. */
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
  /** When the membership ends, and every grant under it at the latest. */
  readonly validUntil: Instant
  readonly projects: ReadonlyArray<NamedProject>
  readonly proposals: ReadonlyArray<NamedProposal>
  /** True where these are the first of more. */
  readonly areMoreProposals?: boolean
  /** What the membership carries for this side, without the guarded ones. */
  readonly actions: ReadonlyArray<Action>
  readonly guarded: ReadonlyArray<GuardedAction>
  /** The actions of this side that the membership does not carry. */
  readonly withheld: ReadonlyArray<Action>
  /** True while the sign-in is recent enough for a guarded action. */
  readonly isRecent: boolean
}

/** What the person can give an agent on one side for one organization; refused where they may not delegate there. */
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
  const ofSide = actions.filter((action) => isForRole(action, role))
  const isCarried = (action: Action) => authorities.includes(authorityFor(action, role))
  return {
    organizationId,
    organizationName,
    role,
    validUntil,
    projects: yield* nameParties(projects),
    proposals,
    areMoreProposals: areMore,
    actions: ofSide.filter((action) => isCarried(action) && !isGuarded(action)),
    guarded: guardedActions.filter((action) => ofSide.includes(action) && isCarried(action)),
    withheld: ofSide.filter((action) => !isCarried(action)),
    isRecent: now < addMilliseconds(person.authenticatedAt, limits.recentSignIn)
  } satisfies GrantChoices
})

/** The memberships under which a person may let agents act. */
export const readDelegations = (by: Human) =>
  Effect.map(readStanding(by), ({ memberships }) =>
    memberships.filter(({ isInForce, authorities }) => isInForce && authorities.includes("DELEGATE"))
  )

/**
 * As the operation decides it: a supplier's agent acts for the person named there, who can choose an organization by
 * this grant while the terms wait for an answer.
 */
const isOnSide = (project: SidedProject, organizationId: string, role: Role, { personId }: Human): boolean =>
  project.role === role &&
  (project.organizationId ?? organizationId) === organizationId &&
  (role === "BUYER" || project.supplierActorId === personId)
