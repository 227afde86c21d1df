/** Pages of a project's history: every entry is on exactly one page, the newest first. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  historyPage,
  isEvent,
  type HistoryEntry,
  type HistoryPlace,
  type LoggedChange
} from "../../src/workspace/projects/history-page.ts"
import { dayOne, projectIn } from "../support/project.ts"

const [first] = projectIn("LOCKED").events

/** Both logs, oldest first, with a time that often stands still. */
const logs = fc.array(fc.record({ isEvent: fc.boolean(), pause: fc.integer({ min: 0, max: 2 }) }), { maxLength: 120 })

const logsFrom = (steps: ReadonlyArray<{ readonly isEvent: boolean; readonly pause: number }>) => {
  let at = dayOne
  const events: Array<typeof first & object> = []
  const changes: Array<LoggedChange> = []
  for (const step of steps) {
    at = addMilliseconds(at, step.pause)
    if (step.isEvent) events.push({ ...first!, sequence: events.length + 1, occurredAt: at })
    else
      changes.push({
        revision: changes.length + 1,
        paused: changes.length % 2 === 0,
        side: "BUYER",
        by: "person",
        reason: "Wait.",
        at
      })
  }
  return { events, changes }
}

const nameOf = (entry: HistoryEntry) => (isEvent(entry) ? `event ${entry.sequence}` : `change ${entry.revision}`)

describe("pages of a project's history", () => {
  it("Following the pages shows every event and change once, with at most 20 entries on a page and none out of order.", () => {
    fc.assert(
      fc.property(logs, (steps) => {
        const { events, changes } = logsFrom(steps)
        const shown: Array<HistoryEntry> = []
        let place: HistoryPlace | undefined
        do {
          const before = place?.beforeRevision ?? Infinity
          const read = changes.filter(({ revision }) => revision < before).toReversed()
          const page = historyPage(events, read.slice(0, limits.historyOnPage + 1), place)
          assert.isAtMost(page.entries.length, 20)
          shown.push(...page.entries)
          place = page.older
        } while (place !== undefined)
        const times = shown.map((entry) => (isEvent(entry) ? entry.occurredAt : entry.at))
        assert.deepStrictEqual(times, times.toSorted().toReversed())
        assert.deepStrictEqual(new Set(shown.map(nameOf)), new Set([...events, ...changes].map(nameOf)))
        assert.lengthOf(shown, steps.length)
      })
    )
  })
})
