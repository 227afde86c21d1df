/** An item: a task on one project that a person accepted. It ends once, finished or withdrawn by the inviting side. */
import type { Instant } from "../vocabulary/instant.ts"
import type { ItemRow, ParticipationCredentialRow } from "./store.ts"

export const itemStates = ["OPEN", "DONE", "WITHDRAWN"] as const
export type ItemState = (typeof itemStates)[number]
export type ItemEnd = Exclude<ItemState, "OPEN">

/** The content of an item for the person and the assistant; nothing of its project. */
export type ItemContent = Pick<ItemRow, "itemId" | "title" | "instructions" | "dueAt" | "state" | "acceptedAt">

/** The transition of ending an item: the same end is idempotent, another one conflicts. */
export const endTransition = (state: ItemState, end: ItemEnd): "TRANSITION" | "UNCHANGED" | "CONFLICT" => {
  if (state === "OPEN") return "TRANSITION"
  return state === end ? "UNCHANGED" : "CONFLICT"
}

/** The changes of an ended item, which end its assistant too. */
export const endChanges = (state: ItemEnd, now: Instant) => ({ state, endedAt: now, credentialHash: null })

/** True while the item accepts this credential; the session is checked separately. */
export const acceptsCredential = (
  item: Pick<ItemRow, "itemId" | "state" | "credentialHash">,
  credential: Pick<ParticipationCredentialRow, "itemId" | "tokenHash" | "expiresAt">,
  now: Instant
): boolean =>
  item.itemId === credential.itemId &&
  item.state === "OPEN" &&
  item.credentialHash === credential.tokenHash &&
  now < credential.expiresAt
