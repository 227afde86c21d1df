/** The operations of a recipient on shared records: list and open. */
import { Effect } from "effect"
import { humanRoots, requireHuman, type Human } from "../people/human.ts"
import { rangeAll } from "../ports/range-all.ts"
import { exclusive, Storage, type Transaction } from "../ports/storage.ts"
import { readStored } from "../projects/history.ts"
import type { State } from "../projects/project.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { factsOf, requireIssuedRecord } from "./issued-record.ts"
import { isLive } from "./share.ts"
import { withNames } from "./sharing.ts"
import { relianceOn } from "./status.ts"
import { RecordShareOpenings, RecordShares, type ShareRow } from "./store.ts"

/** The active shares with this person, newest first. Listing is no opening, so it shows nothing of a record. */
export const listSharedRecords = Effect.fn("records.listShared")(function* (by: Human) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const prefix = [by.personId]
      const shares = yield* rangeAll(reader, RecordShares, "byRecipient", { prefix, direction: "descending" })
      return yield* Effect.forEach(shares.filter(isLive), (share) => withNames(reader, share), {
        concurrency: "unbounded"
      })
    })
  )
})

/**
 * The shared record with its current reliance. The opening is written in the transaction that reads, under the project's
 * lock: no opening commits after the acknowledged revocation of the share.
 */
export const openSharedRecord = Effect.fn("records.openShared")(function* (by: Human, shareId: string) {
  const storage = yield* Storage
  const found = yield* storage.view((reader) => reader.get(RecordShares, [shareId]))
  // Unknown shares, other persons' and revoked ones get the same refusal and take no lock.
  if (found?.recipientActorId !== by.personId || !isLive(found)) return yield* refuse("NOT_FOUND")
  const { projectId } = found
  const roots = [...humanRoots(by), exclusive("project", projectId)]
  return yield* storage.transaction({ roots }, (transaction) =>
    Effect.gen(function* () {
      const [share, stored] = yield* Effect.all(
        [transaction.get(RecordShares, [shareId]), readStored(transaction, projectId)],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      yield* requireHuman(transaction, by, now)
      if (share === undefined || !isLive(share) || stored === undefined) return yield* refuse("NOT_FOUND")
      if (share.openingCount >= limits.openingsPerShare) return yield* refuse("SHARE_LIMIT")
      const record = yield* requireIssuedRecord(stored.project, transaction)
      const { state } = stored.project
      const opened = yield* writeOpening(transaction, share, state, now)
      return {
        ...(yield* withNames(transaction, opened)),
        record: record.jws,
        facts: factsOf(record.jws),
        current: { state, reliance: relianceOn(state), at: now }
      }
    })
  )
})

const writeOpening = Effect.fnUntraced(function* (
  transaction: Transaction,
  share: ShareRow,
  state: State,
  at: Instant
) {
  const { shareId, projectId } = share
  const openingCount = share.openingCount + 1
  yield* transaction.update(RecordShares, [shareId], { openingCount })
  yield* transaction.insert(RecordShareOpenings, { shareId, sequence: openingCount, projectId, state, at })
  return { ...share, openingCount }
})
