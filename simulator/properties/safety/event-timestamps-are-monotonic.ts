/** Event timestamps are monotonic (spec 2.4) even if process clocks differ. */
import { AuthorityEvents } from "../../../src/access/store.ts"
import type { RowOf } from "../../../src/ports/table.ts"
import { ProjectEvents } from "../../../src/projects/store.ts"
import { ProposalEvents } from "../../../src/proposals/store.ts"
import { violation, monitoredProperty, rowIn, type Rows } from "../property.ts"
import { writesTo } from "../support/commits.ts"
import { signedEventOf } from "../support/signed-events.ts"

export const eventTimestampsAreMonotonic = monitoredProperty<null>({
  name: "event timestamps are monotonic",
  kind: "always",
  says: "The timestamps of a chain are monotonic: no event is dated before its predecessor.",
  judges: { kinds: [], commitsTo: [ProjectEvents, ProposalEvents, AuthorityEvents] },
  initial: null,
  next: (_, { observed, rows }) => {
    for (const { table, datedBy } of chains) {
      for (const { key } of writesTo(observed, table)) {
        const [id, sequence] = [String(key[0]), Number(key[1])]
        const [one, next] = [datedBy(rows, id, sequence - 1), datedBy(rows, id, sequence)]
        if (one !== undefined && next !== undefined && next < one) {
          return violation(`event ${sequence} of ${id} is dated before its predecessor`)
        }
      }
    }
    return null
  }
})

const dated = (table: typeof ProjectEvents | typeof ProposalEvents) => ({
  table,
  datedBy: (rows: Rows, id: string, sequence: number) =>
    rowIn(rows, table, [id, sequence])?.occurredAt as string | undefined
})

const chains = [
  dated(ProjectEvents),
  dated(ProposalEvents),
  {
    table: AuthorityEvents,
    // Its only timestamp is inside the signed event.
    datedBy: (rows: Rows, id: string, sequence: number) => {
      const event: RowOf<typeof AuthorityEvents> | undefined = rowIn(rows, AuthorityEvents, [id, sequence])
      return event === undefined ? undefined : signedEventOf(event).occurredAt
    }
  }
]
