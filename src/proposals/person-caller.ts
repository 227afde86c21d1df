/** A person as a caller on proposals: a live session, and the membership under which they act. */
import { Effect } from "effect"
import {
  sessionLocks,
  membershipsOf,
  readMembership,
  requireSession,
  type ActingPerson
} from "../people/acting-person.ts"
import { holds, isInForce } from "../people/membership.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import { shared, type Reader } from "../ports/storage.ts"
import { personActor } from "../projects/event.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readRecordedProposalSide } from "./side-exclusivity.ts"
import type { ProposalCaller } from "./caller.ts"
import { sideOfProposal } from "./proposal.ts"
import { Proposals } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The membership was found before the transaction, which reads it again under its lock. */
export const personAsCaller = (person: ActingPerson, membershipId: string): ProposalCaller => ({
  locks: [...sessionLocks(person), shared("membership", membershipId)],
  grantId: null,
  read: (reader) =>
    Effect.map(readMembership(reader, membershipId), (membership) => {
      const { personId } = person
      const organizationId = membership?.organizationId ?? ""
      return {
        personId,
        organizationId,
        tenantId: membership?.tenantId ?? "",
        isInScope: membership !== undefined,
        outOfScopeCode: "FORBIDDEN" as const,
        forbiddenCode: "FORBIDDEN" as const,
        requireLive: (now: Instant) => requireSession(reader, person, now),
        sideOf: (proposal, recordedSide, now) => {
          const isActiveMember = membership !== undefined && isInForce(membership, now)
          const side = isActiveMember ? sideOfProposal(proposal, { personId, organizationId }, recordedSide) : undefined
          return side === undefined ? undefined : { personId, side, isPerson: true }
        },
        // Every action of a person on proposals needs one authority (decisions, "People, organizations, authority").
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
 * The memberships with which a person acts for a side, at least one; several only for a recipient with several
 * organizations. Another party's proposal and an unknown one are refused alike.
 */
export const readPartyMemberships = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: ActingPerson,
  proposalId: string,
  now: Instant
) {
  const [row, memberships, recordedSide] = yield* readTogether([
    reader.get(Proposals, [proposalId]),
    membershipsOf(reader, personId),
    readRecordedProposalSide(reader, proposalId, personId)
  ])
  const [found, ...others] = memberships.filter(
    (membership) =>
      row !== undefined && isInForce(membership, now) && sideOfProposal(row, membership, recordedSide) !== undefined
  )
  return found === undefined ? yield* refuse("FORBIDDEN", { detail: noParty }) : ([found, ...others] as const)
})

/** The membership for the transaction, which rechecks it; of several any, unless the command binds the organization. */
export const findProposalMembership = traced("proposals.findMembership")(function* (
  by: ActingPerson,
  proposalId: string,
  organizationId?: string,
  mustChoose = false
) {
  const now = yield* currentTime
  const memberships = yield* inView((reader) => readPartyMemberships(reader, by, proposalId, now))
  const [found, another] = memberships.filter(
    (one) => organizationId === undefined || one.organizationId === organizationId
  )
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: noParty })
  return another === undefined || !mustChoose ? found : yield* refuse("INVALID_REQUEST", { detail: chooseOrganization })
})

const noParty = "This person is not a party to the proposal."
const chooseOrganization =
  "This person is a member of several organizations: name the responding one in organizationId."
