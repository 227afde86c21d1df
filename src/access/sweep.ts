/** Ends expired connections, with the grant that their agent never collected. */
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { inTransaction, readTogether } from "../ports/storage/run.ts"
import { exclusive, Storage } from "../ports/storage.ts"
import { addMilliseconds, now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { usedCodeHash } from "./approval.ts"
import { appendAuthority } from "./authority.ts"
import { Connections, Grants, type ConnectionRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Leases the due connections and ends each; a failed one is retried when its lease expires. */
export const sweepConnections = traced("access.sweepConnections")(function* () {
  const storage = yield* Storage
  const random = yield* SecureRandom.SecureRandom
  for (;;) {
    const dueBy = yield* currentTime
    const leaseUntil = addMilliseconds(dueBy, limits.connectionSweepLease)
    const token = yield* random.uuidV4()
    const due = yield* storage.claim(Connections, { dueBy, leaseUntil, token, limit: limits.connectionSweepBatch })
    yield* Effect.forEach(due, (connection) =>
      Effect.catchCause(endConnection(connection), (cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.logError("connection sweep", cause)
      )
    )
    if (due.length < limits.connectionSweepBatch) return
  }
})

/**
 * A connection is ended first and deleted a day later: until then its agent can read the outcome. A grant that was renewed
 * meanwhile has another credential, which need not be collected, and is kept.
 */
const endConnection = Effect.fnUntraced(function* ({ connectionId, grantId, leaseToken }: ConnectionRow) {
  const locks = [...(grantId === null ? [] : [exclusive("grant", grantId)]), exclusive("connection", connectionId)]
  yield* inTransaction({ locks }, function* (transaction) {
    const [connection, grant] = yield* readTogether([
      transaction.get(Connections, [connectionId]),
      grantId === null ? Effect.undefined : transaction.get(Grants, [grantId])
    ])
    const now = yield* transaction.now
    if (connection === undefined || connection.leaseToken !== leaseToken || now < connection.dueAt) return
    // Approved concurrently, after the claim: the next pass also locks its grant.
    if (connection.grantId !== grantId) return
    const forgetAt = addMilliseconds(connection.expiresAt, limits.connectionRetention)
    if (forgetAt <= now) return yield* transaction.remove(Connections, [connectionId])
    if (connection.state === "APPROVED" && grant?.revokedAt === null && grant.generation === 1) {
      const end = yield* appendAuthority(transaction, grant.grantId, grant, { kind: "REVOKE", change: {} }, now)
      yield* transaction.update(Grants, [grant.grantId], { revokedAt: now, ...end })
    }
    const state = connection.state === "PENDING" || connection.state === "APPROVED" ? "ENDED" : connection.state
    const ended = { state, userCodeHash: usedCodeHash(connectionId), dueAt: forgetAt }
    yield* transaction.update(Connections, [connectionId], ended)
  })
})
