/** The operations of a recipient on shared records: list and open. */
import { Effect } from "effect"
import { sessionLocks, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inReplicaView, inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import { readStoredProject } from "../projects/history.ts"
import type { State } from "../projects/project.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { neverRefused, refuse } from "../vocabulary/refusals.ts"
import { decodeRecord, requireIssuedRecord } from "./issued-record.ts"
import { isActiveShare } from "./share.ts"
import { withNames } from "./sharing.ts"
import { relianceOn } from "./status.ts"
import { RecordShareOpenings, RecordShares, type ShareRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The active shares with this person, newest first. Listing is no opening, so it shows nothing of a record. */
export const listSharedRecords = traced("records.listShared")(function* (by: ActingPerson) {
  return yield* inView(function* (reader) {
    const prefix = [by.personId]
    const shares = yield* rangeAll(reader, RecordShares, "byRecipient", { prefix, direction: "descending" })
    return yield* readTogether(shares.filter(isActiveShare).map((share) => withNames(reader, share)))
  })
})

/** A page of them; a page may have fewer shares than its limit, since revoked ones are left out. */
export const listSharedRecordPage = traced("records.listSharedPage")(function* (
  { personId }: ActingPerson,
  request: NewestPageRequest
) {
  return yield* inReplicaView(function* (reader) {
    const page = yield* readNewestPage(
      reader,
      {
        table: RecordShares,
        ranges: [{ index: "byRecipient", prefix: [personId] }],
        positionOf: ({ sharedAt, shareId }: ShareRow) => ({ at: sharedAt, id: shareId })
      },
      request
    )
    const items = yield* readTogether(page.items.filter(isActiveShare).map((share) => withNames(reader, share)))
    return { ...page, items }
  })
})

/**
 * The shared record with its current reliance. The opening is written in the transaction that reads, under the project's
 * lock: no opening commits after the acknowledged revocation of the share.
 */
export const openSharedRecord = traced("records.openShared")(function* (by: ActingPerson, shareId: string) {
  const found = yield* inView((reader) => reader.get(RecordShares, [shareId]))
  // Unknown shares, other persons' and revoked ones get the same refusal and take no lock.
  if (found?.recipientActorId !== by.personId || !isActiveShare(found)) return yield* refuse("NOT_FOUND")
  const { projectId } = found
  const locks = [...sessionLocks(by), exclusive("project", projectId)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const [share, stored] = yield* readTogether([
      transaction.get(RecordShares, [shareId]),
      readStoredProject(transaction, projectId)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    if (share === undefined || !isActiveShare(share) || stored === undefined) return yield* refuse("NOT_FOUND")
    if (share.openingCount >= limits.openingsPerShare) return yield* refuse("SHARE_LIMIT")
    const record = yield* requireIssuedRecord(stored.project, transaction).pipe(neverRefused("RESULT_NOT_ISSUED"))
    const { state } = stored.project
    const opened = yield* writeOpening(transaction, share, state, now)
    return {
      ...(yield* withNames(transaction, opened)),
      record: record.jws,
      facts: decodeRecord(record.jws),
      current: { state, reliance: relianceOn(state), at: now }
    }
  })
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
