/** The operations of a side on the shares of its issued record: share, list with openings, revoke. */
import { Effect } from "effect"
import { memberLocks, readMembership, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { readPerson } from "../people/operations.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inReplicaView, inTransaction, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { readStoredProject } from "../projects/history.ts"
import { recordSide } from "../projects/side-exclusivity.ts"
import { findSideMembership, readSideMemberships } from "../projects/representation.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { publishingSide } from "./publishing-side.ts"
import { isActiveShare, sharingGuard, type ShareInput } from "./share.ts"
import { RecordShareOpenings, RecordShares, type ShareRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Shares the issued record with one person, for a recipient that the agreement names. */
export const shareRecord = traced("records.share")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: ShareInput
) {
  const ids = yield* idSeed
  const { projectId, recipient, recipientActorId } = input
  const { membershipId } = yield* findSideMembership(by, projectId)
  return yield* inTransaction({ locks: locksOf(by, membershipId, projectId) }, function* (transaction) {
    const [earlier, person] = yield* readTogether([
      readStoredRequest(transaction, request),
      readPerson(transaction, recipientActorId)
    ])
    const { stored, side, now } = yield* requirePublisher(transaction, by, membershipId, projectId)
    const shares = yield* rangeAll(transaction, RecordShares, "byProject", { prefix: [projectId, side] })
    if (yield* isReplay(earlier, request)) {
      const earlierShare = yield* requireOwn(shares, earlier!.target)
      return { ...(yield* withNames(transaction, earlierShare)), replayed: true }
    }
    const refused = sharingGuard(stored.project, { ...input, sharedBy: by.personId }, shares)
    if (refused !== undefined) return yield* Effect.fail(refused)
    if (person === undefined)
      return yield* refuse("UNKNOWN_PARTY", { detail: "No person has this personId; correct it." })
    yield* recordSide(transaction, { projectId, personId: by.personId, side })
    const share: ShareRow = {
      shareId: ids("attempt").next("share"),
      projectId,
      side,
      recipient,
      recipientActorId,
      sharedBy: by.personId,
      sharedAt: now,
      openingCount: 0,
      revokedBy: null,
      revokedAt: null
    }
    yield* transaction.insert(RecordShares, share)
    yield* recordRequest(transaction, request, share.shareId, now)
    return { ...(yield* withNames(transaction, share)), replayed: false }
  })
})

/** Revokes a share, effective once acknowledged. An already revoked share keeps its first revocation. */
export const revokeShare = traced("records.revokeShare")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { projectId, shareId }: { readonly projectId: string; readonly shareId: string }
) {
  const { membershipId } = yield* findSideMembership(by, projectId)
  const locks = locksOf(by, membershipId, projectId)
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const earlier = yield* readStoredRequest(transaction, request)
    const { side, now } = yield* requirePublisher(transaction, by, membershipId, projectId)
    const shares = yield* rangeAll(transaction, RecordShares, "byProject", { prefix: [projectId, side] })
    const share = yield* requireOwn(shares, shareId)
    if (yield* isReplay(earlier, request)) return { ...(yield* withNames(transaction, share)), replayed: true }
    yield* recordRequest(transaction, request, shareId, now)
    if (!isActiveShare(share)) return { ...(yield* withNames(transaction, share)), replayed: false }
    const changes = { revokedAt: now, revokedBy: by.personId }
    yield* transaction.update(RecordShares, [shareId], changes)
    return { ...(yield* withNames(transaction, { ...share, ...changes })), replayed: false }
  })
})

/** The shares of both sides, newest first, with the newest openings of each, for persons of either side. */
export const listShares = traced("records.listShares")(function* (by: ActingPerson, projectId: string) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    yield* readSideMemberships(reader, by, projectId, now)
    const sides = yield* Effect.forEach(["BUYER", "SUPPLIER"] as const, (side) =>
      rangeAll(reader, RecordShares, "byProject", { prefix: [projectId, side] })
    )
    const shares = sides.flat().toSorted((a, b) => (a.sharedAt < b.sharedAt ? 1 : a.sharedAt > b.sharedAt ? -1 : 0))
    return yield* readTogether(shares.map((share) => withOpenings(reader, share)))
  })
})

const withOpenings = Effect.fnUntraced(function* (reader: Reader, share: ShareRow) {
  const newest = { prefix: [share.shareId], direction: "descending", limit: limits.openingsListed } as const
  const [named, openings] = yield* readTogether([
    withNames(reader, share),
    reader.range(RecordShareOpenings, "key", newest)
  ])
  return { ...named, openings }
})

/** A share with the names of the person who shared it and of its recipient. */
export const withNames = Effect.fnUntraced(function* (reader: Reader, share: ShareRow) {
  const [sharer, recipient] = yield* readTogether([
    readPerson(reader, share.sharedBy),
    readPerson(reader, share.recipientActorId)
  ])
  const { sharedBy, recipientActorId } = share
  return { ...share, sharerName: sharer?.name ?? sharedBy, recipientName: recipient?.name ?? recipientActorId }
})

const locksOf = (by: ActingPerson, membershipId: string, projectId: string) => [
  ...memberLocks(by, membershipId),
  exclusive("project", projectId)
]

/** Under the locks of the membership and the project: the project, and the side for which this person shares. */
const requirePublisher = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: ActingPerson,
  membershipId: string,
  projectId: string
) {
  const [membership, stored] = yield* readTogether([
    readMembership(transaction, membershipId),
    readStoredProject(transaction, projectId)
  ])
  const now = yield* transaction.now
  yield* requireSession(transaction, by, now)
  const side =
    stored === undefined || membership === undefined ? undefined : publishingSide(stored.row, membership, now)
  if (stored === undefined || side === undefined) return yield* refuse("FORBIDDEN")
  return { stored, side, now }
})

/** A share of the other side or of another project is refused like an unknown one. */
const requireOwn = (shares: ReadonlyArray<ShareRow>, shareId: string) => {
  const share = shares.find((one) => one.shareId === shareId)
  return share === undefined ? refuse("NOT_FOUND") : Effect.succeed(share)
}
