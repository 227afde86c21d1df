/** The names of persons or organizations by their ids. */
import { Effect } from "effect"

/** Reads each distinct id once; an id without a name stands for itself. */
export const namesById = Effect.fnUntraced(function* <R>(
  read: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, never, R>,
  ids: ReadonlyArray<string>
) {
  const distinct = [...new Set(ids)]
  const names = yield* read(distinct)
  const known = new Map(distinct.map((id, index) => [id, names[index] ?? id]))
  return (id: string): string => known.get(id) ?? id
})
