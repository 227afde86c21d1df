/** The wire format of items and notes. */
import type { Task } from "./item.ts"
import type { addNote } from "./operations.ts"
import type { NoteRow } from "./store.ts"
import type { Effect } from "effect"
import type { AddedNote, ParticipationItem, ParticipationNote } from "./wire.ts"

export const viewTask = ({ itemId, title, instructions, dueAt, state, acceptedAt }: Task) => ({
  id: itemId,
  title,
  instructions,
  dueAt,
  state,
  acceptedAt
})

export const viewNote = ({ sequence, text, at }: NoteRow): typeof ParticipationNote.Type => ({ sequence, text, at })

export const viewItem = ({
  item,
  notes
}: {
  readonly item: Task
  readonly notes: ReadonlyArray<NoteRow>
}): typeof ParticipationItem.Type => ({ ...viewTask(item), notes: notes.map(viewNote) })

export const viewAddedNote = ({
  note,
  replayed
}: Effect.Success<ReturnType<typeof addNote>>): typeof AddedNote.Type => ({
  ...viewNote(note),
  ...(replayed ? { replayed } : {})
})
