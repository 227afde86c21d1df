/** The wire format of items and notes. */
import { pick } from "../vocabulary/pick.ts"
import type { ItemContent } from "./item.ts"
import type { addNote } from "./operations.ts"
import type { NoteRow } from "./store.ts"
import type { Effect } from "effect"
import { ParticipationNote, type AddedNote, type ParticipationItem } from "./wire.ts"

export const viewItemContent = ({ itemId, title, instructions, dueAt, state, acceptedAt }: ItemContent) => ({
  id: itemId,
  title,
  instructions,
  dueAt,
  state,
  acceptedAt
})

export const viewNote = pick(ParticipationNote)

export const viewItem = ({
  item,
  notes
}: {
  readonly item: ItemContent
  readonly notes: ReadonlyArray<NoteRow>
}): typeof ParticipationItem.Type => ({ ...viewItemContent(item), notes: notes.map(viewNote) })

export const viewAddedNote = ({
  note,
  replayed
}: Effect.Success<ReturnType<typeof addNote>>): typeof AddedNote.Type => ({
  ...viewNote(note),
  ...(replayed ? { replayed } : {})
})
