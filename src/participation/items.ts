/** What people do with items: the one who accepted it and the side that invited read it, and each can end it. */
import { Effect } from "effect"
import { humanRoots, requireHuman, type Human } from "../people/human.ts"
import { readPerson } from "../people/operations.ts"
import { rangeAll } from "../ports/range-all.ts"
import type { Secrets } from "../ports/secrets.ts"
import { exclusive, shared, Storage, type Reader, type Transaction } from "../ports/storage.ts"
import { findSpeaker, readSpeaker } from "../projects/speaker.ts"
import { isReplay, readRequest, rememberRequest, type Request } from "../replay/replay.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import {
  findLiveCredential,
  issueAssistant,
  showAssistantAgain,
  type Participant,
  type ShownAssistant
} from "./credential.ts"
import { ended, howEndingGoes, type ItemEnd } from "./item.ts"
import { notesOf } from "./operations.ts"
import { ParticipationItems, type ItemRow } from "./store.ts"

/** The person's own items, newest first. */
export const listItems = Effect.fn("participation.listItems")(function* (by: Human) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    rangeAll(reader, ParticipationItems, "byPerson", { prefix: [by.personId], direction: "descending" })
  )
})

/** The items that the person's side of a project has given, newest first, with the name of whoever accepted each. */
export const listProjectItems = Effect.fn("participation.listProjectItems")(function* (by: Human, projectId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const speaker = yield* findSpeaker(reader, by.personId, projectId, now)
      if (speaker === undefined) return yield* refuse("FORBIDDEN")
      const prefix = [projectId, speaker.side]
      const items = yield* rangeAll(reader, ParticipationItems, "byProject", { prefix, direction: "descending" })
      return yield* Effect.forEach(items, (item) => withParticipant(reader, item), { concurrency: "unbounded" })
    })
  )
})

/** One item with its notes, for the person who accepted it and for the side that invited. */
export const readItemAsPerson = Effect.fn("participation.readItemAsPerson")(function* (by: Human, itemId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const item = yield* reader.get(ParticipationItems, [itemId])
      if (item === undefined) return yield* unknownItem
      const isOwn = item.personId === by.personId
      const speaker = yield* findSpeaker(reader, by.personId, item.projectId, now)
      if (!isOwn && speaker?.side !== item.side) return yield* unknownItem
      const notes = yield* notesOf(reader, itemId)
      const { name } = yield* withParticipant(reader, item)
      const live =
        item.credentialHash === null || !isOwn
          ? undefined
          : yield* findLiveCredential(reader, item.credentialHash, itemId, now)
      return { item, name, notes, isOwn, assistantUntil: live?.credential.expiresAt ?? null }
    })
  )
})

/** The person is done with the item; its assistant ends with it. */
export const finishItem = Effect.fn("participation.finish")(function* (by: Human, itemId: string) {
  const storage = yield* Storage
  const roots = yield* ownRoots(by, itemId)
  return yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* () {
      const item = yield* transaction.get(ParticipationItems, [itemId])
      const now = yield* transaction.now
      yield* requireHuman(transaction, by, now)
      return yield* endItem(transaction, yield* requireOwn(item, by), "DONE", now)
    })
  )
})

/** The inviting side takes the item back. When this has answered, its assistant opens nothing. */
export const withdrawItem = Effect.fn("participation.withdraw")(function* (by: Human, itemId: string) {
  const storage = yield* Storage
  const start = yield* currentTime
  const { membershipId, projectId } = yield* storage.view((reader) => findInviting(reader, by, itemId, start))
  const roots = [
    ...humanRoots(by),
    shared("membership", membershipId),
    exclusive("item", itemId),
    exclusive("project", projectId)
  ]
  return yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* () {
      const item = yield* transaction.get(ParticipationItems, [itemId])
      const now = yield* transaction.now
      yield* requireHuman(transaction, by, now)
      const speaker = yield* readSpeaker(transaction, membershipId, projectId, now)
      if (item === undefined || speaker?.side !== item.side) return yield* unknownItem
      return yield* withParticipant(transaction, yield* endItem(transaction, item, "WITHDRAWN", now))
    })
  )
})

const endItem = Effect.fnUntraced(function* (transaction: Transaction, item: ItemRow, end: ItemEnd, now: Instant) {
  const going = howEndingGoes(item.state, end)
  if (going === "HAS_ENDED_OTHERWISE") return yield* refuse("ITEM_ENDED")
  if (going === "HAS_ENDED_SO") return item
  const changes = ended(end, now)
  yield* transaction.update(ParticipationItems, [item.itemId], changes)
  return { ...item, ...changes }
})

/** Gives the person's assistant a credential for this item. An item has one: an earlier one opens nothing any more. */
export const createAssistant = Effect.fn("participation.createAssistant")(function* (
  by: Participant,
  request: Request,
  itemId: string
) {
  const storage = yield* Storage
  const start = yield* currentTime
  const roots = yield* ownRoots(by, itemId)
  const made = yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<ShownAssistant | "AGAIN", Refused, Secrets> {
      const [item, earlier] = yield* Effect.all(
        [transaction.get(ParticipationItems, [itemId]), readRequest(transaction, request)],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      yield* requireHuman(transaction, by, now)
      const own = yield* requireOwn(item, by)
      if (yield* isReplay(earlier, request)) return "AGAIN"
      if (own.state !== "OPEN") return yield* refuse("ITEM_ENDED")
      yield* rememberRequest(transaction, request, itemId, now)
      return yield* issueAssistant(transaction, itemId, by, request, now)
    })
  )
  if (made !== "AGAIN") return made
  return yield* storage.view((reader) => showAssistantAgain(reader, itemId, request, start))
})

/** Ends the item's credential, where it has one; the item goes on. */
export const endAssistant = Effect.fn("participation.endAssistant")(function* (by: Human, itemId: string) {
  const storage = yield* Storage
  const roots = yield* ownRoots(by, itemId)
  return yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* () {
      const item = yield* transaction.get(ParticipationItems, [itemId])
      const now = yield* transaction.now
      yield* requireHuman(transaction, by, now)
      const own = yield* requireOwn(item, by)
      yield* transaction.update(ParticipationItems, [itemId], { credentialHash: null })
      return { ...own, credentialHash: null }
    })
  )
})

// An item that is not theirs is as unknown to them as one that does not exist.
const unknownItem = refuse("UNKNOWN_PARTY", { detail: "No such item." })

const requireOwn = (item: ItemRow | undefined, { personId }: Human) =>
  item === undefined || item.personId !== personId ? unknownItem : Effect.succeed(item)

/** What is to be held of an own item. Whoever it does not belong to holds nothing of it, and it belongs to one for good. */
const ownRoots = Effect.fnUntraced(function* (by: Human, itemId: string) {
  const storage = yield* Storage
  const item = yield* storage.view((reader) => reader.get(ParticipationItems, [itemId]))
  yield* requireOwn(item, by)
  return [...humanRoots(by), exclusive("item", itemId)]
})

/** What is to be held before an item is withdrawn: its project, and the membership with which the person speaks there. */
const findInviting = Effect.fnUntraced(function* (reader: Reader, by: Human, itemId: string, now: Instant) {
  const item = yield* reader.get(ParticipationItems, [itemId])
  if (item === undefined) return yield* unknownItem
  const speaker = yield* findSpeaker(reader, by.personId, item.projectId, now)
  if (speaker === undefined) return yield* unknownItem
  return { membershipId: speaker.membershipId, projectId: item.projectId }
})

const withParticipant = Effect.fnUntraced(function* (reader: Reader, item: ItemRow) {
  const person = yield* readPerson(reader, item.personId)
  return { item, name: person?.name ?? "" }
})
