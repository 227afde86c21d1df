/** The use cases of people on proposals: the same commands, with a person as actor. */
import { Effect } from "effect"
import { membershipsOf, requireMembershipIn, type ActingPerson } from "../people/acting-person.ts"
import { isInForce } from "../people/membership.ts"
import type { Role } from "../access/actions.ts"
import { readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { inReplicaView, inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { TransactionHook } from "../replay/transaction-hook.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { neverRefused } from "../vocabulary/refusals.ts"
import { personAsCaller, findProposalMembership, readPartyMemberships } from "./person-caller.ts"
import { createProposal } from "./create.ts"
import type { ProposalCommand, ProposalCommandKind } from "./decide.ts"
import type { ProposalEvent } from "./event.ts"
import { readProposalEvents } from "./history.ts"
import { runAndView, viewCreated } from "./operations.ts"
import { isAcceptance } from "./plan.ts"
import type { CallerAuthority } from "./caller.ts"
import type { ProposalInput, ProposalState } from "./proposal.ts"
import { readListedProposal, readProposalView } from "./read-model.ts"
import { Proposals, ProposalSides, type ProposalSideRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The proposal as a person of one of its sides sees it. */
export const readProposalAsPerson = traced("proposals.readAsPerson")(function* (by: ActingPerson, proposalId: string) {
  const now = yield* currentTime
  return yield* inView((reader) => readViewAsPerson(reader, by, proposalId, now))
})

/** The view with its history. A recipient sees the publications to them, their answers, and the withdrawal. */
export const readProposalWithHistory = traced("proposals.readProposalWithHistory")(function* (
  by: ActingPerson,
  proposalId: string
) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const view = yield* readViewAsPerson(reader, by, proposalId, now)
    const events = yield* readProposalEvents(reader, proposalId)
    return {
      view,
      events: view.role === "SUPPLIER" ? events : events.filter((event) => isVisibleToRecipient(event, by))
    }
  })
})

const isVisibleToRecipient = (event: ProposalEvent, { personId }: ActingPerson): boolean => {
  switch (event.kind) {
    case "PUBLISH":
      return event.payload.recipientActorId === personId
    case "RESPOND":
      return event.actor.id === personId
    default:
      return event.kind === "WITHDRAW"
  }
}

const readViewAsPerson = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  proposalId: string,
  now: Effect.Success<typeof currentTime>
) {
  const memberships = yield* readPartyMemberships(reader, by, proposalId, now)
  const authorities = yield* Effect.forEach(memberships, ({ membershipId }) =>
    personAsCaller(by, membershipId).read(reader, proposalId)
  )
  // A recipient with several organizations sees it with one that may respond.
  const authority = authorities.find((authority) => authority.mayAct("RESPOND_PROPOSAL", now)) ?? authorities[0]!
  const view = yield* readProposalView(reader, proposalId, authority, now)
  const role =
    view.proposal.supplier.organizationId === authority.organizationId ? ("SUPPLIER" as const) : ("BUYER" as const)
  return { role, organizationId: authority.organizationId, ...view }
})

/** The proposals on which a person acts for a side, newest first: the newest of each organization and of the person. */
export const listProposalsAsPerson = traced("proposals.listAsPerson")(function* (by: ActingPerson) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const memberships = (yield* membershipsOf(reader, by.personId)).filter((one) => isInForce(one, now))
    const parties = [by.personId, ...memberships.map(({ organizationId }) => organizationId)]
    const newest = { limit: limits.projectsListed, direction: "descending" } as const
    const sides = yield* readTogether(
      parties.map((party) => reader.range(ProposalSides, "byTime", { ...newest, prefix: [party] }))
    )
    const ids = [...new Set(sides.flat().map(({ proposalId }) => proposalId))].toSorted()
    const authorities = yield* Effect.forEach(memberships, ({ membershipId }) =>
      personAsCaller(by, membershipId).read(reader, null)
    )
    // Read together, so that many proposals to one person do not slow their pages.
    const listed = yield* readTogether(
      ids.map((proposalId) => listForFirstMembership(reader, proposalId, authorities, now))
    )
    return listed.flatMap((one) => one ?? []).toSorted(newestFirst)
  })
})

/** Which proposals are listed; all on which the person acts for a side where nothing is given. */
export interface ProposalFilter {
  readonly state?: ProposalState | undefined
  readonly side?: Role | undefined
  /** The organization for which the person acts on it. */
  readonly organizationId?: string | undefined
}

/**
 * A page of these proposals, in the order in which they reached the person or an organization of the person, latest first.
 * A page may have fewer proposals than its limit, since the person acts for no side of some.
 */
export const listProposalPage = traced("proposals.listPage")(function* (
  by: ActingPerson,
  { state, side, organizationId }: ProposalFilter,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const memberships = (yield* membershipsOf(reader, by.personId)).filter((one) => isInForce(one, now))
    const organizations = memberships
      .map((membership) => membership.organizationId)
      .filter((one) => organizationId === undefined || one === organizationId)
    const parties = [by.personId, ...organizations]
    const own = side === undefined ? [] : [{ column: "role", among: [side] }]
    const conditions = state === undefined ? [] : [{ column: "state", among: [state] }]
    const related = { table: Proposals, by: "proposalId", conditions }
    const page = yield* readNewestPage(
      reader,
      {
        table: ProposalSides,
        ranges: parties.map((party) => ({ index: "byTime", prefix: [party] }) as const),
        positionOf: ({ at, proposalId }: ProposalSideRow) => ({ at, id: proposalId }),
        matching: { own, ...(conditions.length > 0 && { related }) }
      },
      request
    )
    const authorities = yield* readTogether(
      memberships.map(({ membershipId }) => personAsCaller(by, membershipId).read(reader, null))
    )
    const [latest, listed] = yield* readTogether([
      readTogether(page.items.map((row) => isLatest(reader, row, parties))),
      readTogether(page.items.map(({ proposalId }) => listForFirstMembership(reader, proposalId, authorities, now)))
    ])
    const items = listed.flatMap((one, at) => {
      const isShown =
        latest[at] === true &&
        (side === undefined || one?.role === side) &&
        (organizationId === undefined || one?.organizationId === organizationId)
      return one !== undefined && isShown ? [one] : []
    })
    return { ...page, items }
  })
})

/** True where none of these parties has the proposal since a later time: it is listed there. */
const isLatest = (reader: Reader, { at, proposalId }: ProposalSideRow, parties: ReadonlyArray<string>) =>
  Effect.map(readTogether(parties.map((party) => reader.get(ProposalSides, [party, proposalId]))), (sides) =>
    sides.every((side) => side === undefined || side.at <= at)
  )

const newestFirst = (one: { readonly createdAt: string }, other: { readonly createdAt: string }): number =>
  one.createdAt === other.createdAt ? 0 : one.createdAt < other.createdAt ? 1 : -1

/** The list entry under the first membership that acts for a side. */
const listForFirstMembership = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  authorities: ReadonlyArray<CallerAuthority>,
  now: Instant
) {
  for (const authority of authorities) {
    const { organizationId } = authority
    const found = yield* readListedProposal(reader, proposalId, authority, now)
    if (found === undefined) continue
    const role = found.supplier.organizationId === organizationId ? ("SUPPLIER" as const) : ("BUYER" as const)
    return { role, organizationId, ...found }
  }
  return undefined
})

/** Writes a proposal for one of the person's organizations. */
export const createProposalAsPerson = traced("proposals.createAsPerson")(function* <
  HookCode extends RefusalCode = never
>(
  by: ActingPerson,
  request: IdempotentRequest,
  { organizationId, ...input }: ProposalInput & { readonly organizationId: string },
  companion?: TransactionHook<HookCode>
) {
  const now = yield* currentTime
  const { membershipId } = yield* inView((reader) => requireMembershipIn(reader, by.personId, organizationId, now))
  const caller = personAsCaller(by, membershipId)
  const author = { personId: by.personId, organizationId }
  const created = yield* createProposal({
    by: caller,
    request,
    input,
    author,
    ...(companion === undefined ? {} : { companion })
  }).pipe(withoutGrant)
  return { role: "SUPPLIER" as const, organizationId, ...(yield* viewCreated(caller, created)) }
})

export interface PersonProposalCommand<K extends ProposalCommandKind> {
  readonly proposalId: string
  readonly expectedProposalHead: string
  /** The organization that a recipient answers for, where the person has several. */
  readonly organizationId?: string
  readonly command: ProposalCommand<K>
}

/** Runs one command through the pipeline and returns the proposal after it. */
export const runProposalCommandAsPerson = traced("proposals.runCommandAsPerson")(function* <
  K extends ProposalCommandKind
>(
  by: ActingPerson,
  request: IdempotentRequest,
  { proposalId, expectedProposalHead, organizationId, command }: PersonProposalCommand<K>
) {
  const found = yield* findProposalMembership(by, proposalId, organizationId, isAcceptance(command as ProposalCommand))
  const caller = personAsCaller(by, found.membershipId)
  const view = yield* runAndView({
    by: caller,
    request,
    proposalId,
    expectedProposalHead,
    automationRevision: null,
    command
  }).pipe(withoutGrant)
  const role =
    view.proposal.supplier.organizationId === found.organizationId ? ("SUPPLIER" as const) : ("BUYER" as const)
  return { role, organizationId: found.organizationId, ...view }
})

/** A person has no grant whose history could be full; one of an agent that holds the proposal is left out then. */
const withoutGrant = neverRefused("AUTHORITY_HISTORY_LIMIT")
