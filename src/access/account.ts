/** Removal of a self-service account: its sessions and everything delegated under it end at once. */
import { Effect } from "effect"
import { closeAccount, readAccount } from "../people/accounts.ts"
import { readMembership, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { hasEnded } from "../people/membership.ts"
import { closeMembership, endMembership, openMemberships } from "../people/memberships.ts"
import { endAllSessions } from "../people/sessions.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { neverRefused, refuse } from "../vocabulary/refusals.ts"
import { appendAuthority } from "./authority.ts"
import { Grants } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * Removes the account in one transaction, with all members of its organization. The owner's known grants are revoked by
 * signed events; a grant created concurrently ends with its membership. Where the other members have ended the owner's
 * membership, only the account is closed.
 */
export const removeAccount = traced("access.removeAccount")(function* (by: ActingPerson) {
  const { personId } = by
  const { account, grantIds, memberIds } = yield* inView((reader) => readRemoval(reader, personId))
  const { organizationId, membershipId } = account
  const locks = [
    exclusive("person", personId),
    ...memberIds.map((id) => exclusive("membership", id)),
    ...grantIds.map((id) => exclusive("grant", id))
  ]
  const { isOwner, ...removed } = yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const [membership, current] = yield* readTogether([
      readMembership(transaction, membershipId),
      readAccount(transaction, personId)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    if (current?.organizationId !== organizationId) return yield* refuse("STATE_CONFLICT")
    const isOwner = membership !== undefined && !hasEnded(membership, now)
    yield* Effect.forEach(grantIds, (grantId) => revokeOpen(transaction, grantId, now))
    if (isOwner) yield* Effect.forEach(memberIds, (id) => closeMembership(transaction, id, now))
    yield* closeAccount(transaction, organizationId, now)
    yield* endAllSessions(transaction, personId, now)
    return { organizationId, removedAt: now, isOwner }
  })
  if (isOwner) yield* endLateJoiners(organizationId)
  return removed
})

/** The account, the owner's open grants, and every open membership of its organization, the owner's first. */
const readRemoval = Effect.fnUntraced(function* (reader: Reader, personId: string) {
  const account = yield* readAccount(reader, personId)
  if (account === undefined)
    return yield* refuse("UNKNOWN_PARTY", { detail: "This person has no account here; create one first." })
  const { membershipId, organizationId } = account
  const grants = yield* rangeAll(reader, Grants, "byMembership", { prefix: [membershipId] })
  const open = yield* openMemberships(reader, organizationId)
  return {
    account,
    grantIds: grants.filter(({ revokedAt }) => revokedAt === null).map(({ grantId }) => grantId),
    memberIds: [...new Set([membershipId, ...open])]
  }
})

const revokeOpen = Effect.fnUntraced(function* (transaction: Transaction, grantId: string, now: Instant) {
  const grant = yield* transaction.get(Grants, [grantId])
  if (grant === undefined || grant.revokedAt !== null) return
  const end = yield* appendAuthority(transaction, grantId, grant, { kind: "REVOKE", change: {} }, now)
  yield* transaction.update(Grants, [grantId], { revokedAt: now, ...end })
})

/** Ends memberships that were accepted concurrently; no further invitations are possible by then. */
const endLateJoiners = Effect.fnUntraced(function* (organizationId: string) {
  for (;;) {
    const late = yield* inView((reader) => openMemberships(reader, organizationId))
    if (late.length === 0) return
    yield* Effect.forEach(late, (membershipId) => endMembership("OPERATOR", { membershipId })).pipe(
      neverRefused("FORBIDDEN")
    )
  }
})
