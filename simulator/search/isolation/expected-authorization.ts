/**
 * The expected authorization of parties, derived from stored rows and the rules alone. It is sound and not complete:
 * every party listed must be allowed; others are unspecified.
 */
import { authorityFor, type Role } from "../../../src/access/actions.ts"
import { GrantProjects, Grants } from "../../../src/access/store.ts"
import { type Authority, holds } from "../../../src/people/membership.ts"
import { Memberships } from "../../../src/people/store.ts"
import { type ProjectRow, Projects, ProjectSides } from "../../../src/projects/store.ts"
import { type ProposalRow, Proposals, ProposalSides } from "../../../src/proposals/store.ts"
import { fromMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import type { Storage } from "../../../src/ports/storage.ts"
import type { RunResult } from "../search-run.ts"
import { finalStateOf, WorldFork, refusalOf } from "../world-fork.ts"
import type { SearchRoot } from "../search-root.ts"

/** A person by the name in the script, with the authorities of the membership on one side. */
export interface Member {
  readonly name: string
  readonly id: string
  readonly side: Role
  /** True if the person represents the side: a supplier has one representative. */
  readonly isRepresentative: boolean
  readonly may: (authority: Authority) => boolean
}

/** The time by the clock of the service. */
export const serviceTimeIn = (fork: WorldFork): Instant =>
  fromMilliseconds(fork.setup.scheduler.now + fork.context.world.clocks.offsetOf("service"))

/** People with exactly one membership in force; with several, the one that applies is not evident. */
const peopleOf = (fork: WorldFork) => {
  const now = serviceTimeIn(fork)
  const memberships = fork.rows.of(Memberships).filter((one) => holdsAny(one, now))
  return [...fork.context.directory.people].flatMap(([name, { id, session }]) => {
    const [membership, another] = memberships.filter(({ personId }) => personId === id)
    if (session === undefined || membership === undefined || another !== undefined) return []
    const may = (authority: Authority) => holds(membership, authority, now)
    return [{ name, id, organizationId: membership.organizationId, may }]
  })
}

const holdsAny = (one: Parameters<typeof holds>[0], now: Parameters<typeof holds>[2]): boolean =>
  one.authorities.some((authority) => holds(one, authority, now))

/** The members of both sides of a project. */
export const membersOfProject = (fork: WorldFork, row: ProjectRow): ReadonlyArray<Member> => {
  const recordedSides = fork.rows.of(ProjectSides).filter(({ projectId }) => projectId === row.projectId)
  return peopleOf(fork).flatMap(({ name, id, organizationId, may }) => {
    const side = sideOn(row, id, organizationId)
    const isOther = recordedSides.some(({ party, role }) => party === id && role !== side)
    if (side === undefined || isOther) return []
    return [{ name, id, side, may, isRepresentative: (id === row.supplierActorId) === (side === "SUPPLIER") }]
  })
}

const sideOn = (row: ProjectRow, personId: string, organizationId: string): Role | undefined => {
  const { supplierActorId, supplierOrganizationId, buyerOrganizationId } = row
  if (personId === supplierActorId) {
    return organizationId === (supplierOrganizationId ?? organizationId) ? "SUPPLIER" : undefined
  }
  if (organizationId === buyerOrganizationId) return "BUYER"
  return organizationId === supplierOrganizationId ? "SUPPLIER" : undefined
}

/** The members of both sides of a proposal. */
export const membersOfProposal = (fork: WorldFork, row: ProposalRow): ReadonlyArray<Member> => {
  const recordedSides = fork.rows.of(ProposalSides).filter(({ proposalId }) => proposalId === row.proposalId)
  return peopleOf(fork).flatMap(({ name, id, organizationId, may }) => {
    const isRecipient = id === row.recipientActorId && organizationId !== row.organizationId
    const isBuyer = isRecipient && organizationId === (row.buyerOrganizationId ?? organizationId)
    const side = isBuyer ? "BUYER" : organizationId === row.organizationId ? "SUPPLIER" : undefined
    const isOther = recordedSides.some(({ party, role }) => party === id && role !== side)
    return side === undefined || isOther ? [] : [{ name, id, side, may, isRepresentative: true }]
  })
}

/** An agent with an accepted token and at least one action that its parent authority still permits. */
export interface AuthorizedAgent {
  readonly name: string
  readonly personId: string
  readonly organizationId: string
  readonly side: Role
}

/** The agents with a project in the scope of their grant. */
export const agentsWithProject = (fork: WorldFork, projectId: string): ReadonlyArray<AuthorizedAgent> => {
  const linked = fork.rows.of(GrantProjects).filter((link) => link.projectId === projectId)
  const grants = fork.rows.of(Grants)
  const memberships = fork.rows.of(Memberships)
  const now = serviceTimeIn(fork)
  return [...fork.context.directory.agents].flatMap(([name, { grantId }]) => {
    const grant = grants.find((one) => one.grantId === grantId)
    const parent = memberships.find(({ membershipId }) => membershipId === grant?.membershipId)
    if (grant === undefined || parent === undefined || !linked.some((link) => link.grantId === grantId)) return []
    const { role: side, personId, organizationId } = grant
    const mayAct = grant.actions.some((action) => holds(parent, authorityFor(action, side), now))
    const isTaken = mayAct && refusalOf(fork.act(name, "me")) === undefined
    return isTaken ? [{ name, side, personId, organizationId }] : []
  })
}

export const projectsIn = (fork: WorldFork): ReadonlyArray<ProjectRow> => fork.rows.of(Projects)
export const proposalsIn = (fork: WorldFork): ReadonlyArray<ProposalRow> => fork.rows.of(Proposals)

/** A fork of the final state with every person signed in; undefined if the run ended before it began. */
export const forkWithEveryoneSignedIn = (
  { scenario }: SearchRoot,
  result: RunResult,
  around?: (storage: Storage["Service"]) => Storage["Service"]
): WorldFork | undefined => {
  const end = finalStateOf(result)
  if (end === undefined) return undefined
  const fork = new WorldFork(scenario, end, around)
  signInEveryone(fork)
  return fork
}

/** Signs in again every person whom a provider accepts. */
const signInEveryone = (fork: WorldFork): void => {
  for (const name of fork.context.directory.people.keys()) {
    const answer = fork.act(name, "signIn")
    if (answer === undefined || answer.status >= 300) continue
    fork.act(name, "legalConfig")
    fork.act(name, "confirmationPreview")
  }
}
