/** The wire format of items for people: without the project's id, tokens or hashes. */
import type { Effect } from "effect"
import type { GivenItem, ItemWithNotes, OwnItem } from "./person-wire.ts"
import type { readItemAsPerson } from "./items.ts"
import type { ItemRow } from "./store.ts"
import { viewNote, viewItemContent } from "./view.ts"

export const viewOwnItem = (item: ItemRow): typeof OwnItem.Type => ({
  ...viewItemContent(item),
  noteCount: item.noteCount
})

export const viewGivenItem = ({
  item,
  name
}: {
  readonly item: ItemRow
  readonly name: string
}): typeof GivenItem.Type => ({ ...viewOwnItem(item), person: { personId: item.personId, name } })

export const viewItemWithNotes = ({
  notes,
  isOwn,
  assistantUntil,
  ...given
}: Effect.Success<ReturnType<typeof readItemAsPerson>>): typeof ItemWithNotes.Type => ({
  ...viewGivenItem(given),
  notes: notes.map(viewNote),
  isOwn,
  assistantUntil
})
