/** The use cases on proposals, as people call them: the same commands, with a person as actor. */
import { Effect } from "effect"
import { membershipsOf, requireMembershipIn, type Human } from "../people/human.ts"
import { isInForce } from "../people/membership.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import type { Companion } from "../replay/companion.ts"
import type { Request } from "../replay/replay.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { byPerson, findProposalMembership, standingOnProposal } from "./by-person.ts"
import { createProposal } from "./create.ts"
import type { ProposalCommand } from "./decide.ts"
import type { ProposalEvent } from "./event.ts"
import { readProposalEvents } from "./history.ts"
import { runOnProposal, viewCreated } from "./operations.ts"
import { isAcceptance } from "./plan.ts"
import type { Standing } from "./principal.ts"
import type { ProposalInput } from "./proposal.ts"
import { listedProposal, seeProposal } from "./seen.ts"
import { ProposalSides } from "./store.ts"

/** The proposal as a person of one of its sides sees it. */
export const readProposalAsPerson = Effect.fn("proposals.readAsPerson")(function* (by: Human, proposalId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) => seeAsPerson(reader, by, proposalId, now))
})

/** The same with its history, for a page. A recipient sees what was published to them, and what became of that. */
export const readWholeProposal = Effect.fn("proposals.readWhole")(function* (by: Human, proposalId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const view = yield* seeAsPerson(reader, by, proposalId, now)
      const events = yield* readProposalEvents(reader, proposalId)
      return { view, events: view.role === "SUPPLIER" ? events : events.filter((event) => concerns(event, by)) }
    })
  )
})

const concerns = (event: ProposalEvent, { personId }: Human): boolean => {
  switch (event.kind) {
    case "PUBLISH":
      return event.payload.recipientActorId === personId
    case "RESPOND":
      return event.actor.id === personId
    default:
      return event.kind === "WITHDRAW"
  }
}

const seeAsPerson = Effect.fnUntraced(function* (
  reader: Reader,
  by: Human,
  proposalId: string,
  now: Effect.Success<typeof currentTime>
) {
  const memberships = yield* standingOnProposal(reader, by, proposalId, now)
  const standings = yield* Effect.forEach(memberships, ({ membershipId }) =>
    byPerson(by, membershipId).read(reader, proposalId)
  )
  // Of several organizations of a recipient, the one with which they may do most is shown.
  const able = standings.find((standing) => standing.mayAct("RESPOND_PROPOSAL", now)) ?? standings[0]!
  const view = yield* seeProposal(reader, proposalId, able, now)
  const role =
    view.proposal.supplier.organizationId === able.organizationId ? ("SUPPLIER" as const) : ("BUYER" as const)
  return { role, organizationId: able.organizationId, ...view }
})

/** The proposals that a person stands on a side of, newest first. */
export const listProposalsAsPerson = (by: Human) => Effect.map(listNewestAsPerson(by), ({ proposals }) => proposals)

/** The same, of each organization and of the person so many at most; cut where there are more. */
export const listNewestAsPerson = Effect.fn("proposals.listNewestAsPerson")(function* (by: Human) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const memberships = (yield* membershipsOf(reader, by.personId)).filter((one) => isInForce(one, now))
      const parties = [by.personId, ...memberships.map(({ organizationId }) => organizationId)]
      const most = limits.projectsRead
      const sides = yield* Effect.forEach(parties, (party) =>
        // One more than is shown tells whether there are more.
        reader.range(ProposalSides, "byTime", { prefix: [party], limit: most + 1, direction: "descending" })
      )
      const newest = sides.flatMap((rows) => rows.slice(0, most))
      const ids = [...new Set(newest.map(({ proposalId }) => proposalId))].toSorted()
      const standings = yield* Effect.forEach(memberships, ({ membershipId }) =>
        byPerson(by, membershipId).read(reader, null)
      )
      // Asked for together: whoever addresses many proposals to a person must not make their pages slow.
      const listed = yield* Effect.forEach(ids, (proposalId) => listedWith(reader, proposalId, standings, now), {
        concurrency: "unbounded"
      })
      return {
        proposals: listed.flatMap((one) => one ?? []).toSorted(newestFirst),
        isCut: sides.some((rows) => rows.length > most)
      }
    })
  )
})

const newestFirst = (one: { readonly createdAt: string }, other: { readonly createdAt: string }): number =>
  one.createdAt === other.createdAt ? 0 : one.createdAt < other.createdAt ? 1 : -1

/** With the first membership that stands on a side of it. */
const listedWith = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  standings: ReadonlyArray<Standing>,
  now: Instant
) {
  for (const standing of standings) {
    const { organizationId } = standing
    const found = yield* listedProposal(reader, proposalId, standing, now)
    if (found === undefined) continue
    const role = found.supplier.organizationId === organizationId ? ("SUPPLIER" as const) : ("BUYER" as const)
    return { role, organizationId, ...found }
  }
  return undefined
})

/** Writes a proposal for one of the person's organizations. */
export const createProposalAsPerson = Effect.fn("proposals.createAsPerson")(function* (
  by: Human,
  request: Request,
  { organizationId, ...input }: ProposalInput & { readonly organizationId: string },
  companion?: Companion
) {
  const storage = yield* Storage
  const now = yield* currentTime
  const { membershipId } = yield* storage.view((reader) =>
    requireMembershipIn(reader, by.personId, organizationId, now)
  )
  const principal = byPerson(by, membershipId)
  const author = { personId: by.personId, organizationId }
  const made = yield* createProposal({
    by: principal,
    request,
    input,
    author,
    ...(companion === undefined ? {} : { companion })
  })
  return { role: "SUPPLIER" as const, organizationId, ...(yield* viewCreated(principal, made)) }
})

export interface PersonProposalCommand {
  readonly proposalId: string
  readonly expectedProposalHead: string
  /** The organization that a recipient answers for, where the person has several. */
  readonly organizationId?: string
  readonly command: ProposalCommand
}

/** Runs one command through the pipeline and answers with the proposal after it. */
export const runProposalCommandAsPerson = Effect.fn("proposals.runCommandAsPerson")(function* (
  by: Human,
  request: Request,
  { proposalId, expectedProposalHead, organizationId, command }: PersonProposalCommand
) {
  const found = yield* findProposalMembership(by, proposalId, organizationId, isAcceptance(command))
  const principal = byPerson(by, found.membershipId)
  const view = yield* runOnProposal({
    by: principal,
    request,
    proposalId,
    expectedProposalHead,
    automationRevision: null,
    command
  })
  const role =
    view.proposal.supplier.organizationId === found.organizationId ? ("SUPPLIER" as const) : ("BUYER" as const)
  return { role, organizationId: found.organizationId, ...view }
})
