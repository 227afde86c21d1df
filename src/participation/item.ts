/** A task on one project that a person accepted. It ends once: the person is done, or the inviting side withdraws it. */
import type { Instant } from "../vocabulary/instant.ts"
import type { ItemRow, ParticipationCredentialRow } from "./store.ts"

export const itemStates = ["OPEN", "DONE", "WITHDRAWN"] as const
export type ItemState = (typeof itemStates)[number]
export type ItemEnd = Exclude<ItemState, "OPEN">

/** What an item says, as far as whoever works on it may know; nothing of its project. */
export type Task = Pick<ItemRow, "itemId" | "title" | "instructions" | "dueAt" | "state" | "acceptedAt">

/** What ending it comes to: the same end again changes nothing, another one is refused. */
export const howEndingGoes = (state: ItemState, end: ItemEnd): "ENDS" | "HAS_ENDED_SO" | "HAS_ENDED_OTHERWISE" => {
  if (state === "OPEN") return "ENDS"
  return state === end ? "HAS_ENDED_SO" : "HAS_ENDED_OTHERWISE"
}

/** What ending an item writes: its assistant ends with it. */
export const ended = (state: ItemEnd, now: Instant) => ({ state, endedAt: now, credentialHash: null })

/** True while the item itself lets this credential in; the session behind it is another question. */
export const admits = (
  item: Pick<ItemRow, "itemId" | "state" | "credentialHash">,
  credential: Pick<ParticipationCredentialRow, "itemId" | "tokenHash" | "expiresAt">,
  now: Instant
): boolean =>
  item.itemId === credential.itemId &&
  item.state === "OPEN" &&
  item.credentialHash === credential.tokenHash &&
  now < credential.expiresAt
