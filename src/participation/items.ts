/** Operations of people on items: the person who accepted one and the inviting side can read and end it. */
import { Effect } from "effect"
import { memberLocks, requireSession, sessionLocks, type ActingPerson } from "../people/acting-person.ts"
import { readPerson } from "../people/operations.ts"
import { readNewestListing, readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { inReplicaView, inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { findRepresentation, readRepresentation } from "../projects/representation.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { findLiveCredential, issueAssistantCredential, recoverAssistantToken, type Participant } from "./credential.ts"
import { endChanges, endTransition, type ItemEnd, type ItemState } from "./item.ts"
import { readNotes } from "./operations.ts"
import { ParticipationItems, type ItemRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** A page of the person's own items, newest first. */
export const listItems = traced("participation.listItems")(function* ({ personId }: ActingPerson, after?: string) {
  return yield* inView((reader) => readNewestListing(reader, itemsOf(personId), after))
})

/** A page of them in this state, or in any, that a person turns in both directions. */
export const listItemPage = traced("participation.listItemPage")(function* (
  { personId }: ActingPerson,
  state: ItemState | undefined,
  request: NewestPageRequest
) {
  const source = {
    ...itemsOf(personId),
    ...(state === undefined ? {} : { matching: { own: [{ column: "state", among: [state] }] } })
  }
  return yield* inReplicaView((reader) => readNewestPage(reader, source, request))
})

/** A page of the items given by the person's side of a project, newest first, with the names of their people. */
export const listProjectItems = traced("participation.listProjectItems")(function* (
  by: ActingPerson,
  projectId: string,
  after?: string
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const given = yield* requirePartyItems(reader, by, projectId, now)
    const page = yield* readNewestListing(reader, given, after)
    return { ...page, items: yield* withPersonNames(reader, page.items) }
  })
})

/** The same in pages that a person turns in both directions. */
export const listProjectItemPage = traced("participation.listProjectItemPage")(function* (
  by: ActingPerson,
  projectId: string,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const given = yield* requirePartyItems(reader, by, projectId, now)
    const page = yield* readNewestPage(reader, given, request)
    return { ...page, items: yield* withPersonNames(reader, page.items) }
  })
})

const newestItems = {
  table: ParticipationItems,
  positionOf: ({ acceptedAt, itemId }: ItemRow) => ({ at: acceptedAt, id: itemId })
} as const

const itemsOf = (personId: string) => ({ ...newestItems, ranges: [{ index: "byPerson", prefix: [personId] }] }) as const

const requirePartyItems = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: ActingPerson,
  projectId: string,
  now: Instant
) {
  const representation = yield* findRepresentation(reader, personId, projectId, now)
  if (representation === undefined) return yield* refuse("FORBIDDEN")
  return { ...newestItems, ranges: [{ index: "byProject", prefix: [projectId, representation.side] }] } as const
})

const withPersonNames = (reader: Reader, items: ReadonlyArray<ItemRow>) =>
  readTogether(items.map((item) => withPersonName(reader, item)))

/** One item with its notes, for its person and the inviting side. */
export const readItemAsPerson = traced("participation.readItemAsPerson")(function* (by: ActingPerson, itemId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const item = yield* reader.get(ParticipationItems, [itemId])
    if (item === undefined) return yield* unknownItem
    const isOwn = item.personId === by.personId
    const representation = yield* findRepresentation(reader, by.personId, item.projectId, now)
    if (!isOwn && representation?.side !== item.side) return yield* unknownItem
    const notes = yield* readNotes(reader, itemId)
    const { name } = yield* withPersonName(reader, item)
    const live =
      item.credentialHash === null || !isOwn
        ? undefined
        : yield* findLiveCredential(reader, item.credentialHash, itemId, now)
    return { item, name, notes, isOwn, assistantUntil: live?.credential.expiresAt ?? null }
  })
})

/** The person finishes the item, which ends its assistant too. */
export const finishItem = traced("participation.finish")(function* (by: ActingPerson, itemId: string) {
  const locks = yield* locksOfOwnItem(by, itemId)
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const item = yield* transaction.get(ParticipationItems, [itemId])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    return yield* endItem(transaction, yield* requireOwn(item, by), "DONE", now)
  })
})

/** The inviting side withdraws the item. Its assistant is refused once the withdrawal is acknowledged. */
export const withdrawItem = traced("participation.withdraw")(function* (by: ActingPerson, itemId: string) {
  const start = yield* currentTime
  const { membershipId, projectId } = yield* inView((reader) => findWithdrawalLocks(reader, by, itemId, start))
  const locks = [...memberLocks(by, membershipId), exclusive("item", itemId), exclusive("project", projectId)]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const item = yield* transaction.get(ParticipationItems, [itemId])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const representation = yield* readRepresentation(transaction, membershipId, projectId, now)
    if (item === undefined || representation?.side !== item.side) return yield* unknownItem
    return yield* withPersonName(transaction, yield* endItem(transaction, item, "WITHDRAWN", now))
  })
})

const endItem = Effect.fnUntraced(function* (transaction: Transaction, item: ItemRow, end: ItemEnd, now: Instant) {
  const transition = endTransition(item.state, end)
  if (transition === "CONFLICT") return yield* refuse("ITEM_ENDED")
  if (transition === "UNCHANGED") return item
  const changes = endChanges(end, now)
  yield* transaction.update(ParticipationItems, [item.itemId], changes)
  return { ...item, ...changes }
})

/** Issues the credential of the person's assistant for this item; it replaces an earlier one. */
export const createAssistant = traced("participation.createAssistant")(function* (
  by: Participant,
  request: IdempotentRequest,
  itemId: string
) {
  const start = yield* currentTime
  const locks = yield* locksOfOwnItem(by, itemId)
  const issued = yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const [item, earlier] = yield* readTogether([
      transaction.get(ParticipationItems, [itemId]),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const own = yield* requireOwn(item, by)
    if (yield* isReplay(earlier, request)) return "REPLAYED"
    if (own.state !== "OPEN") return yield* refuse("ITEM_ENDED")
    yield* recordRequest(transaction, request, itemId, now)
    return yield* issueAssistantCredential(transaction, itemId, by, request, now)
  })
  if (issued !== "REPLAYED") return issued
  return yield* inView((reader) => recoverAssistantToken(reader, itemId, request, start))
})

/** Ends the item's credential, if any; the item stays open. */
export const endAssistant = traced("participation.endAssistant")(function* (by: ActingPerson, itemId: string) {
  const locks = yield* locksOfOwnItem(by, itemId)
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const item = yield* transaction.get(ParticipationItems, [itemId])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const own = yield* requireOwn(item, by)
    yield* transaction.update(ParticipationItems, [itemId], { credentialHash: null })
    return { ...own, credentialHash: null }
  })
})

// Another person's item and an unknown one are indistinguishable.
const unknownItem = refuse("UNKNOWN_PARTY", { detail: "No such item." })

const requireOwn = (item: ItemRow | undefined, { personId }: ActingPerson) =>
  item === undefined || item.personId !== personId ? unknownItem : Effect.succeed(item)

/** The locks of an own item. Another person locks nothing; the owner of an item never changes. */
const locksOfOwnItem = Effect.fnUntraced(function* (by: ActingPerson, itemId: string) {
  const item = yield* inView((reader) => reader.get(ParticipationItems, [itemId]))
  yield* requireOwn(item, by)
  return [...sessionLocks(by), exclusive("item", itemId)]
})

/** The project and the representing membership, which a withdrawal locks. */
const findWithdrawalLocks = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  itemId: string,
  now: Instant
) {
  const item = yield* reader.get(ParticipationItems, [itemId])
  if (item === undefined) return yield* unknownItem
  const representation = yield* findRepresentation(reader, by.personId, item.projectId, now)
  if (representation === undefined) return yield* unknownItem
  return { membershipId: representation.membershipId, projectId: item.projectId }
})

const withPersonName = Effect.fnUntraced(function* (reader: Reader, item: ItemRow) {
  const person = yield* readPerson(reader, item.personId)
  return { item, name: person?.name ?? "" }
})
