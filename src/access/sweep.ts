/** Ends what expired: a connection past its ten minutes, with the grant that its agent never collected. */
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { exclusive, Storage } from "../ports/storage.ts"
import { addMilliseconds, now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { spent } from "./approval.ts"
import { appendAuthority } from "./authority.ts"
import { Connections, Grants, type ConnectionRow } from "./store.ts"

/** Leases the connections that are due and ends each; one that fails is looked at again when its lease is over. */
export const sweepConnections = Effect.fn("access.sweepConnections")(function* () {
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
 * First it ends, a day later it is forgotten: until then its agent is still told how it ended. A grant that a person
 * renewed meanwhile has another credential, which nobody needs to collect, and stays.
 */
const endConnection = Effect.fnUntraced(function* ({ connectionId, grantId, leaseToken }: ConnectionRow) {
  const storage = yield* Storage
  const roots = [...(grantId === null ? [] : [exclusive("grant", grantId)]), exclusive("connection", connectionId)]
  yield* storage.transaction({ roots }, (transaction) =>
    Effect.gen(function* () {
      const [connection, grant] = yield* Effect.all(
        [
          transaction.get(Connections, [connectionId]),
          grantId === null ? Effect.undefined : transaction.get(Grants, [grantId])
        ],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      if (connection === undefined || connection.leaseToken !== leaseToken || now < connection.dueAt) return
      // It was approved in its last moment, after it was claimed: the next pass holds its grant too.
      if (connection.grantId !== grantId) return
      const forgetAt = addMilliseconds(connection.expiresAt, limits.connectionRetention)
      if (forgetAt <= now) return yield* transaction.remove(Connections, [connectionId])
      if (connection.state === "APPROVED" && grant?.revokedAt === null && grant.generation === 1) {
        const end = yield* appendAuthority(transaction, grant.grantId, grant, { kind: "REVOKE", change: {} }, now)
        yield* transaction.update(Grants, [grant.grantId], { revokedAt: now, ...end })
      }
      const state = connection.state === "PENDING" || connection.state === "APPROVED" ? "ENDED" : connection.state
      const ended = { state, userCodeHash: spent(connectionId), dueAt: forgetAt }
      yield* transaction.update(Connections, [connectionId], ended)
    })
  )
})
