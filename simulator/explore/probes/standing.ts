/**
 * Who stands on which side of what, and may do what there: told from stored rows and the rules alone, and only where it
 * is plain. Whoever is left out here may still be let in by the service; whoever is named has to be.
 */
import { authorityFor, type Role } from "../../../src/access/actions.ts"
import { GrantProjects, Grants } from "../../../src/access/store.ts"
import { type Authority, holds } from "../../../src/people/membership.ts"
import { Memberships } from "../../../src/people/store.ts"
import { type ProjectRow, Projects, ProjectSides } from "../../../src/projects/store.ts"
import { type ProposalRow, Proposals, ProposalSides } from "../../../src/proposals/store.ts"
import { fromMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import type { Storage } from "../../../src/ports/storage.ts"
import type { Attempted } from "../attempt.ts"
import { endOf, Fork, refusalOf } from "../fork.ts"
import type { Prepared } from "../prepared.ts"

/** A person, as a script calls them, and what their membership carries on their side. */
export interface Member {
  readonly name: string
  readonly id: string
  readonly side: Role
  /** Who speaks for the supplier of a project is one person. */
  readonly speaks: boolean
  readonly may: (authority: Authority) => boolean
}

/** As the service's clock has it. */
export const momentIn = (fork: Fork): Instant =>
  fromMilliseconds(fork.stage.kernel.now + fork.journey.world.clocks.offsetOf("service"))

/** People with one membership in force alone: of several, which one counts takes more than a look. */
const peopleOf = (fork: Fork) => {
  const now = momentIn(fork)
  const memberships = fork.rows.of(Memberships).filter((one) => holdsAny(one, now))
  return [...fork.journey.directory.people].flatMap(([name, { id, session }]) => {
    const [membership, another] = memberships.filter(({ personId }) => personId === id)
    if (session === undefined || membership === undefined || another !== undefined) return []
    const may = (authority: Authority) => holds(membership, authority, now)
    return [{ name, id, organizationId: membership.organizationId, may }]
  })
}

const holdsAny = (one: Parameters<typeof holds>[0], now: Parameters<typeof holds>[2]): boolean =>
  one.authorities.some((authority) => holds(one, authority, now))

/** Everybody who stands on a side of a project. */
export const membersOfProject = (fork: Fork, row: ProjectRow): ReadonlyArray<Member> => {
  const taken = fork.rows.of(ProjectSides).filter(({ projectId }) => projectId === row.projectId)
  return peopleOf(fork).flatMap(({ name, id, organizationId, may }) => {
    const side = sideOn(row, id, organizationId)
    const isOther = taken.some(({ party, role }) => party === id && role !== side)
    if (side === undefined || isOther) return []
    return [{ name, id, side, may, speaks: (id === row.supplierActorId) === (side === "SUPPLIER") }]
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

/** Everybody who stands on a side of a proposal. */
export const membersOfProposal = (fork: Fork, row: ProposalRow): ReadonlyArray<Member> => {
  const taken = fork.rows.of(ProposalSides).filter(({ proposalId }) => proposalId === row.proposalId)
  return peopleOf(fork).flatMap(({ name, id, organizationId, may }) => {
    const isRecipient = id === row.recipientActorId && organizationId !== row.organizationId
    const isBuyer = isRecipient && organizationId === (row.buyerOrganizationId ?? organizationId)
    const side = isBuyer ? "BUYER" : organizationId === row.organizationId ? "SUPPLIER" : undefined
    const isOther = taken.some(({ party, role }) => party === id && role !== side)
    return side === undefined || isOther ? [] : [{ name, id, side, may, speaks: true }]
  })
}

/** An agent whose token is taken, and whose grant holds something that its parent may still let it do. */
export interface Holder {
  readonly name: string
  readonly personId: string
  readonly organizationId: string
  readonly side: Role
}

/** Those of whom a project is in scope. */
export const agentsThatReach = (fork: Fork, projectId: string): ReadonlyArray<Holder> => {
  const linked = fork.rows.of(GrantProjects).filter((link) => link.projectId === projectId)
  const grants = fork.rows.of(Grants)
  const memberships = fork.rows.of(Memberships)
  const now = momentIn(fork)
  return [...fork.journey.directory.agents].flatMap(([name, { grantId }]) => {
    const grant = grants.find((one) => one.grantId === grantId)
    const parent = memberships.find(({ membershipId }) => membershipId === grant?.membershipId)
    if (grant === undefined || parent === undefined || !linked.some((link) => link.grantId === grantId)) return []
    const { role: side, personId, organizationId } = grant
    const mayAct = grant.actions.some((action) => holds(parent, authorityFor(action, side), now))
    const isTaken = mayAct && refusalOf(fork.act(name, "me")) === undefined
    return isTaken ? [{ name, side, personId, organizationId }] : []
  })
}

export const projectsIn = (fork: Fork): ReadonlyArray<ProjectRow> => fork.rows.of(Projects)
export const proposalsIn = (fork: Fork): ReadonlyArray<ProposalRow> => fork.rows.of(Proposals)

/** Goes on from where a run ended, with everybody signed in; undefined where it ended before it began. */
export const forkWithEverybody = (
  { scenario }: Prepared,
  attempted: Attempted,
  around?: (storage: Storage["Service"]) => Storage["Service"]
): Fork | undefined => {
  const end = endOf(attempted)
  if (end === undefined) return undefined
  const fork = new Fork(scenario, end, around)
  signEverybodyIn(fork)
  return fork
}

/** Has everybody sign in anew whom a provider would let in. */
const signEverybodyIn = (fork: Fork): void => {
  for (const name of fork.journey.directory.people.keys()) {
    const answer = fork.act(name, "signIn")
    if (answer === undefined || answer.status >= 300) continue
    fork.act(name, "legalConfig")
    fork.act(name, "confirmationPreview")
  }
}
