/** A page of a project's history: its events and the changes of its automation log, in one order. Pure. */
import type { AutomationChange } from "../../projects/pause.ts"
import type { ProjectEvent } from "../../projects/event.ts"
import { limits } from "../../vocabulary/limits.ts"

/** A row of the automation log. */
export interface LoggedChange extends AutomationChange {
  readonly revision: number
}

export type HistoryEntry = ProjectEvent | LoggedChange

/** Where a page begins: only what is earlier in both logs is on it. */
export interface HistoryPlace {
  readonly beforeSequence: number
  readonly beforeRevision: number
}

export interface HistoryPage {
  /** The newest first, at most `limits.historyOnPage`. */
  readonly entries: ReadonlyArray<HistoryEntry>
  /** Where the next page begins; undefined on the last one. */
  readonly older: HistoryPlace | undefined
}

export const isEvent = (entry: HistoryEntry): entry is ProjectEvent => "sequence" in entry

/**
 * The newest entries before a place. `changes` are the newest of the log before it, in descending order: one more than a
 * page has, or all of them.
 */
export const historyPage = (
  events: ReadonlyArray<ProjectEvent>,
  changes: ReadonlyArray<LoggedChange>,
  place?: HistoryPlace
): HistoryPage => {
  const earlier = events.filter(({ sequence }) => sequence < (place?.beforeSequence ?? Infinity)).toReversed()
  // The sort is stable: of the same millisecond, events come first.
  const inOrder = [...earlier, ...changes].toSorted((one, other) => compare(timeOf(other), timeOf(one)))
  const entries = inOrder.slice(0, limits.historyOnPage)
  if (inOrder.length === entries.length) return { entries, older: undefined }
  const lastEvent = entries.findLast(isEvent)
  const lastChange = entries.findLast((entry): entry is LoggedChange => !isEvent(entry))
  return {
    entries,
    older: {
      beforeSequence: lastEvent?.sequence ?? (earlier[0]?.sequence ?? 0) + 1,
      beforeRevision: lastChange?.revision ?? (changes[0]?.revision ?? 0) + 1
    }
  }
}

const timeOf = (entry: HistoryEntry): string => (isEvent(entry) ? entry.occurredAt : entry.at)

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
