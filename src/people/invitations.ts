/** Invitations to join an organization, and reading and revoking invitations of every kind. */
import { Effect } from "effect"
import { readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { readListing } from "../ports/storage/page.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader } from "../ports/storage.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { addMilliseconds, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import {
  memberLocks,
  membershipIn,
  requireAuthority,
  requireSession,
  requireMembershipIn,
  type ActingPerson
} from "./acting-person.ts"
import {
  acceptanceLocks,
  authorityToInvite,
  concludeInvitation,
  findInvitation,
  isOpen,
  insertInvitation,
  requireOpenInvitation,
  recoverInvitation
} from "./invitation.ts"
import type { Authority } from "./membership.ts"
import { insertMembership, membershipLocks, readCurrentMembership, requireRoomForOrganization } from "./memberships.ts"
import { readOrganization, readPerson } from "./operations.ts"
import { Invitations, type Invitation } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Invites a person to join; only this response contains the code. */
export const inviteMember = traced("people.inviteMember")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  {
    organizationId,
    authorities,
    validUntil
  }: {
    readonly organizationId: string
    readonly authorities: ReadonlyArray<Authority>
    /** The end of the membership; ten years from now where absent. */
    readonly validUntil?: Instant
  }
) {
  const ids = yield* idSeed
  const invitationId = ids("plan").next("invitation")
  const start = yield* currentTime
  const own = yield* inView((reader) => requireMembershipIn(reader, by.personId, organizationId, start))
  const { membershipId } = own
  const locks = [...memberLocks(by, membershipId), exclusive("invitation", invitationId)]
  const made = yield* inTransaction({ locks }, function* (transaction) {
    const earlier = yield* readStoredRequest(transaction, request)
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    yield* requireAuthority(transaction, membershipId, [authorityToInvite.MEMBERSHIP], now)
    if (yield* isReplay(earlier, request)) return { again: earlier!.target }
    const until = validUntil ?? addMilliseconds(now, limits.membershipLifetime)
    if (until <= now) {
      return yield* refuse("INVALID_REQUEST", {
        detail: "The validUntil of a membership must be in the future; correct it."
      })
    }
    const terms = { kind: "MEMBERSHIP" as const, authorities: [...new Set(authorities)], validUntil: until }
    const invitation = { invitationId, organizationId, projectId: null, terms, invitedBy: by.personId, membershipId }
    yield* recordRequest(transaction, request, invitationId, now)
    return yield* insertInvitation(transaction, invitation, request, now)
  })
  if (!("again" in made)) return made
  return yield* inView((reader) => recoverInvitation(reader, made.again, request, start))
})

/** The terms of an invitation, for the holder of its code. */
export const readInvitation = traced("people.readInvitation")(function* (by: ActingPerson, code: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const invitation = yield* findInvitation(reader, code, by, now)
    const [organization, inviter] = yield* readTogether([
      readOrganization(reader, invitation.organizationId),
      readPerson(reader, invitation.invitedBy)
    ])
    const { invitationId, kind, terms, expiresAt, state } = invitation
    // A participant in a task does not learn the id of its project.
    const projectId = kind === "REPRESENTATIVE" ? invitation.projectId : null
    const names = { organizationName: organization?.name ?? "", inviterName: inviter?.name ?? "" }
    return { invitationId, kind, terms, projectId, expiresAt, state, ...names }
  })
})

/** Joins the organization on exactly the shown terms. */
export const acceptMembership = traced("people.acceptMembership")(function* (by: ActingPerson, code: string) {
  const ids = yield* idSeed
  const membershipId = ids("plan").next("membership")
  const start = yield* currentTime
  const { invitation, organization, place } = yield* inView(function* (reader) {
    const invitation = yield* findInvitation(reader, code, by, start)
    const organization = yield* readOrganization(reader, invitation.organizationId)
    const place = yield* readCurrentMembership(reader, by.personId, invitation.organizationId)
    return { invitation, organization, place }
  })
  const { invitationId, organizationId, terms } = invitation
  if (terms.kind !== "MEMBERSHIP" || organization === undefined) return yield* refuse("INVITATION_UNKNOWN")
  const locks = [...membershipLocks(membershipId, by.personId, place?.membershipId), ...acceptanceLocks(invitation)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const current = yield* transaction.get(Invitations, [invitationId])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    // Idempotent for the same person, also concurrently: the first acceptance counts.
    if (current?.acceptedBy === by.personId && current.madeId !== null) {
      return { membershipId: current.madeId, organizationId }
    }
    yield* requireOpenInvitation(transaction, invitation, now)
    const { authorities, validUntil } = terms
    if (validUntil <= now) return yield* refuse("INVITATION_UNKNOWN")
    const { tenantId } = organization
    const membership = { membershipId, personId: by.personId, organizationId, tenantId, authorities, validUntil }
    if (place === undefined) yield* requireRoomForOrganization(transaction, by.personId)
    yield* insertMembership(transaction, membership, place?.membershipId, now)
    const conclusion = { state: "ACCEPTED", acceptedBy: by.personId, madeId: membershipId } as const
    yield* concludeInvitation(transaction, invitationId, conclusion, now)
    return { membershipId, organizationId }
  })
})

/** Revokes an invitation, of this organization where one is named, that has not been accepted. */
export const revokeInvitation = traced("people.revokeInvitation")(function* (
  by: ActingPerson,
  invitationId: string,
  organizationId?: string
) {
  const start = yield* currentTime
  const { membershipId, needed } = yield* inView(function* (reader) {
    const invitation = yield* reader.get(Invitations, [invitationId])
    const isOther = organizationId !== undefined && invitation?.organizationId !== organizationId
    if (invitation === undefined || isOther) return yield* refuse("UNKNOWN_PARTY")
    // An invitation of another organization is reported like one that does not exist.
    const membership = yield* membershipIn(reader, by.personId, invitation.organizationId, start)
    if (membership === undefined) return yield* refuse("UNKNOWN_PARTY")
    return { membershipId: membership.membershipId, needed: authorityToInvite[invitation.kind] }
  })
  const locks = [...memberLocks(by, membershipId), exclusive("invitation", invitationId)]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const invitation = yield* transaction.get(Invitations, [invitationId])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    yield* requireAuthority(transaction, membershipId, [needed], now)
    if (invitation?.state === "ACCEPTED") {
      return yield* refuse("STATE_CONFLICT", {
        detail: "The invitation has been accepted; end the membership or task that it created."
      })
    }
    if (invitation?.state === "OPEN") {
      yield* concludeInvitation(transaction, invitationId, { state: "REVOKED" }, now)
    }
    return { invitationId, state: "REVOKED" as const }
  })
})

/** A page of the invitations of an organization in the order of their ids, for members who may create one of any kind. */
export const listInvitations = traced("people.listInvitations")(function* (
  by: ActingPerson,
  organizationId: string,
  after?: string
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireInviter(reader, by, organizationId, now)
    const request = { after, limit: limits.entriesListed }
    const page = yield* readListing(reader, Invitations, request, { byOrganization: organizationId })
    const items = page.items.map(({ codeHash: _codeHash, ...invitation }) => ({
      ...invitation,
      isExpired: invitation.state === "OPEN" && !isOpen(invitation, now)
    }))
    return { ...page, items }
  })
})

/** A page of those that can be accepted, the newest first, with the names of their inviters. */
export const listOpenInvitationPage = traced("people.listOpenInvitationPage")(function* (
  by: ActingPerson,
  organizationId: string,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireInviter(reader, by, organizationId, now)
    const source = {
      table: Invitations,
      ranges: [{ index: "byState", prefix: [organizationId, "OPEN"] }],
      positionOf: ({ expiresAt, invitationId }: Invitation) => ({ at: expiresAt, id: invitationId })
    } as const
    const page = yield* readNewestPage(reader, source, request)
    const open = page.items.filter((one) => isOpen(one, now))
    const inviters = yield* readTogether(open.map(({ invitedBy }) => readPerson(reader, invitedBy)))
    const items = open.map(({ codeHash: _codeHash, ...invitation }, index) => ({
      ...invitation,
      inviterName: inviters[index]?.name ?? invitation.invitedBy
    }))
    // Expired ones are last.
    return { ...page, items, older: open.length < page.items.length ? null : page.older }
  })
})

const requireInviter = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: ActingPerson,
  organizationId: string,
  now: Instant
) {
  const { membershipId } = yield* requireMembershipIn(reader, personId, organizationId, now)
  yield* requireAuthority(reader, membershipId, Object.values(authorityToInvite), now)
})
