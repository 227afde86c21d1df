/** Removing a self-service account: its sessions and everything delegated in it end with it, at once. */
import { Effect } from "effect"
import { closeAccount, readAccount } from "../people/accounts.ts"
import { requireHuman, type Human } from "../people/human.ts"
import { closeMembership, endMembership, openMemberships } from "../people/memberships.ts"
import { endAllSessions } from "../people/sessions.ts"
import { exclusive, Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { appendAuthority } from "./authority.ts"
import { Grants } from "./store.ts"

/**
 * Removes the account in one transaction, and whoever else is a member of its workspace with it. The owner's grants are
 * revoked by signed events, those known then; the end of a membership ends every grant under it all the same.
 */
export const removeAccount = Effect.fn("access.removeAccount")(function* (by: Human) {
  const storage = yield* Storage
  const { personId } = by
  const { account, grants, others } = yield* storage.view((reader) =>
    Effect.gen(function* () {
      const account = yield* readAccount(reader, personId)
      if (account === undefined) return yield* refuse("UNKNOWN_PARTY", { detail: "This person has no account here." })
      const range = { prefix: [account.membershipId], limit: limits.grantsRead }
      const grants = yield* reader.range(Grants, "byMembership", range)
      return { account, grants, others: yield* openMemberships(reader, account.organizationId) }
    })
  )
  const { organizationId, membershipId } = account
  const open = grants.filter(({ revokedAt }) => revokedAt === null)
  const roots = [
    exclusive("person", personId),
    ...[membershipId, ...others].map((id) => exclusive("membership", id)),
    ...open.map(({ grantId }) => exclusive("grant", grantId))
  ]
  const removed = yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* () {
      const rows = yield* Effect.forEach(open, ({ grantId }) => transaction.get(Grants, [grantId]), {
        concurrency: "unbounded"
      })
      const now = yield* transaction.now
      yield* requireHuman(transaction, by, now)
      const current = yield* readAccount(transaction, personId)
      if (current?.organizationId !== organizationId) return yield* refuse("STATE_CONFLICT")
      for (const grant of rows) {
        if (grant === undefined || grant.revokedAt !== null) continue
        const end = yield* appendAuthority(transaction, grant.grantId, grant, { kind: "REVOKE", change: {} }, now)
        yield* transaction.update(Grants, [grant.grantId], { revokedAt: now, ...end })
      }
      for (const id of new Set([membershipId, ...others])) yield* closeMembership(transaction, id, now)
      yield* closeAccount(transaction, organizationId, now)
      yield* endAllSessions(transaction, personId, now)
      return { organizationId, removedAt: now }
    })
  )
  yield* endLateJoiners(organizationId)
  return removed
})

/** Whoever joined in the moment before is out when the removal is answered; from now on nobody invites any more. */
const endLateJoiners = Effect.fnUntraced(function* (organizationId: string) {
  const storage = yield* Storage
  for (;;) {
    const late = yield* storage.view((reader) => openMemberships(reader, organizationId))
    if (late.length === 0) return
    yield* Effect.forEach(late, (membershipId) => endMembership("OPERATOR", { membershipId }))
  }
})
