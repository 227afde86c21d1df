/** The operations of a recipient on shared records: list and open. */
import { Effect } from "effect"
import { sessionLocks, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { readNewestListing, readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { inReplicaView, inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
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

/**
 * A page of the active shares with this person, newest first. Listing is no opening, so it shows nothing of a record. A
 * page may have fewer shares than its limit, since revoked ones are left out.
 */
export const listSharedRecords = traced("records.listShared")(function* ({ personId }: ActingPerson, after?: string) {
  return yield* inView(function* (reader) {
    const page = yield* readNewestListing(reader, sharesWith(personId), after)
    return { ...page, items: yield* readActive(reader, page.items) }
  })
})

/** The same in pages that a person turns in both directions. */
export const listSharedRecordPage = traced("records.listSharedPage")(function* (
  { personId }: ActingPerson,
  request: NewestPageRequest
) {
  return yield* inReplicaView(function* (reader) {
    const page = yield* readNewestPage(reader, sharesWith(personId), request)
    return { ...page, items: yield* readActive(reader, page.items) }
  })
})

const sharesWith = (personId: string) =>
  ({
    table: RecordShares,
    ranges: [{ index: "byRecipient", prefix: [personId] }],
    positionOf: ({ sharedAt, shareId }: ShareRow) => ({ at: sharedAt, id: shareId })
  }) as const

const readActive = (reader: Reader, shares: ReadonlyArray<ShareRow>) =>
  readTogether(shares.filter(isActiveShare).map((share) => withNames(reader, share)))

/** One active share with this person, without opening it; any other is reported as unknown. */
export const readSharedRecord = traced("records.readShared")(function* (by: ActingPerson, shareId: string) {
  return yield* inView((reader) =>
    Effect.flatMap(requireShared(reader, by, shareId), (share) => withNames(reader, share))
  )
})

/**
 * The shared record with its current reliance. The opening is written in the transaction that reads, under the project's
 * lock: no opening commits after the acknowledged revocation of the share.
 */
export const openSharedRecord = traced("records.openShared")(function* (by: ActingPerson, shareId: string) {
  const { projectId } = yield* inView((reader) => requireShared(reader, by, shareId))
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

// Unknown shares, other persons' and revoked ones get the same refusal and take no lock.
const requireShared = Effect.fnUntraced(function* (reader: Reader, { personId }: ActingPerson, shareId: string) {
  const share = yield* reader.get(RecordShares, [shareId])
  return share?.recipientActorId === personId && isActiveShare(share) ? share : yield* refuse("NOT_FOUND")
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
