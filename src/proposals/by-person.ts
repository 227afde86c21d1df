/** A person as a principal of proposals: a live session, and the membership with which they stand there. */
import { Effect } from "effect"
import { humanRoots, membershipsOf, readMembership, requireHuman, type Human } from "../people/human.ts"
import { holds, isInForce } from "../people/membership.ts"
import { shared, Storage, type Reader } from "../ports/storage.ts"
import { personActor } from "../projects/event.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readTakenProposalSide } from "./one-side.ts"
import type { Principal } from "./principal.ts"
import { sideOfProposal } from "./proposal.ts"
import { Proposals } from "./store.ts"

/** The membership was found before the transaction, which reads it once more under its root. */
export const byPerson = (human: Human, membershipId: string): Principal => ({
  roots: [...humanRoots(human), shared("membership", membershipId)],
  grantId: null,
  read: (reader) =>
    Effect.map(readMembership(reader, membershipId), (membership) => {
      const { personId } = human
      const organizationId = membership?.organizationId ?? ""
      return {
        personId,
        organizationId,
        tenantId: membership?.tenantId ?? "",
        reaches: membership !== undefined,
        outside: "FORBIDDEN" as const,
        forbidden: "FORBIDDEN" as const,
        requireLive: (now: Instant) => requireHuman(reader, human, now),
        sideOf: (proposal, taken, now) => {
          const isThere = membership !== undefined && isInForce(membership, now)
          const side = isThere ? sideOfProposal(proposal, { personId, organizationId }, taken) : undefined
          return side === undefined ? undefined : { personId, side, isPerson: true }
        },
        // Whatever a person does with a proposal takes one authority (decisions, "People, organizations, authority").
        mayAct: (action, now) =>
          action !== "HANDOFF" && membership !== undefined && holds(membership, "PROPOSAL_MANAGE", now),
        actorAs: ({ side }) => personActor({ id: personId, organizationId, role: side }),
        notBefore: (now: Instant) => now,
        subjectRequirements: undefined,
        grant: undefined
      }
    })
})

/**
 * Every membership with which a person stands on the proposal, at least one: several only for a recipient who has
 * several organizations. What is not theirs is as unknown to them as what does not exist.
 */
export const standingOnProposal = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: Human,
  proposalId: string,
  now: Instant
) {
  const [row, memberships, taken] = yield* Effect.all(
    [
      reader.get(Proposals, [proposalId]),
      membershipsOf(reader, personId),
      readTakenProposalSide(reader, proposalId, personId)
    ],
    { concurrency: "unbounded" }
  )
  const [found, ...others] = memberships.filter(
    (membership) =>
      row !== undefined && isInForce(membership, now) && sideOfProposal(row, membership, taken) !== undefined
  )
  return found === undefined ? yield* refuse("FORBIDDEN", { detail: noParty }) : ([found, ...others] as const)
})

/** The one with which they act, for the transaction that rechecks it; of several any, unless it binds that organization. */
export const findProposalMembership = Effect.fn("proposals.findMembership")(function* (
  by: Human,
  proposalId: string,
  organizationId?: string,
  mustChoose = false
) {
  const storage = yield* Storage
  const now = yield* currentTime
  const standing = yield* storage.view((reader) => standingOnProposal(reader, by, proposalId, now))
  const [found, another] = standing.filter(
    (one) => organizationId === undefined || one.organizationId === organizationId
  )
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: noParty })
  return another === undefined || !mustChoose ? found : yield* refuse("INVALID_REQUEST", { detail: chooseOrganization })
})

const noParty = "This person is no party of the proposal."
const chooseOrganization = "This person is a member of several organizations: name the one that they answer for."
