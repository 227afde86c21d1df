/** Removal of a self-service account: its sessions and everything delegated under it end at once. */
import { Effect } from "effect"
import { closeAccount, readAccount } from "../people/accounts.ts"
import { readMembership, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { hasEnded } from "../people/membership.ts"
import { closeMembership, openMemberships } from "../people/memberships.ts"
import { endAllSessions } from "../people/sessions.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { appendAuthority } from "./authority.ts"
import { Grants } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * Removes the account in one transaction, with all members of its organization. The owner's known grants are revoked by
 * signed events; a grant created concurrently ends with its membership. Where the other members have ended the owner's
 * membership, only the account is closed.
 */
export const removeAccount = traced("access.removeAccount")(function* (by: ActingPerson) {
  for (let plans = 0; plans < limits.accountPlans; plans++) {
    const start = yield* currentTime
    const removed = yield* removePlanned(by, yield* inView((reader) => readRemoval(reader, by.personId, start)))
    if (removed !== undefined) return removed
  }
  return yield* refuse("TEMPORARILY_UNAVAILABLE")
})

/** Undefined if another member has joined since the plan. */
const removePlanned = Effect.fnUntraced(function* (
  by: ActingPerson,
  { account: { organizationId, membershipId }, grantIds, memberIds }: Removal
) {
  const { personId } = by
  const locks = [
    exclusive("person", personId),
    ...memberIds.map((id) => exclusive("membership", id)),
    ...grantIds.map((id) => exclusive("grant", id))
  ]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const [membership, current] = yield* readTogether([
      readMembership(transaction, membershipId),
      readAccount(transaction, personId)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    if (current?.organizationId !== organizationId) return yield* refuse("STATE_CONFLICT")
    const isOwner = membership !== undefined && !hasEnded(membership, now)
    // An invitation is accepted under the lock of its inviter's membership: while all members are locked, no person joins.
    const members = isOwner ? yield* openMemberships(transaction.hints, organizationId, now) : []
    if (!members.every((id) => memberIds.includes(id))) return undefined
    yield* Effect.forEach(grantIds, (grantId) => revokeOpen(transaction, grantId, now))
    if (isOwner) yield* Effect.forEach(memberIds, (id) => closeMembership(transaction, id, now))
    yield* closeAccount(transaction, organizationId, now)
    yield* endAllSessions(transaction, personId, now)
    return { organizationId, removedAt: now }
  })
})

type Removal = Effect.Success<ReturnType<typeof readRemoval>>

/** The account, the owner's open grants, and every open membership of its organization, the owner's first. */
const readRemoval = Effect.fnUntraced(function* (reader: Reader, personId: string, start: Instant) {
  const account = yield* readAccount(reader, personId)
  if (account === undefined)
    return yield* refuse("UNKNOWN_PARTY", { detail: "This person has no account here; create one first." })
  const { membershipId, organizationId } = account
  const grants = yield* rangeAll(reader, Grants, "byMembership", { prefix: [membershipId] })
  const open = yield* openMemberships(reader, organizationId, start)
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
