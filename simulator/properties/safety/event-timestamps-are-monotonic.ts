/** Event timestamps are monotonic (spec 2.4) even if process clocks differ. */
import { AuthorityEvents } from "../../../src/access/store.ts"
import { type ChainEventRow, isDatedBefore } from "../../../src/integrity/signed-chain.ts"
import { ProjectEvents } from "../../../src/projects/store.ts"
import { ProposalEvents } from "../../../src/proposals/store.ts"
import { violation, monitoredProperty, rowIn } from "../property.ts"
import { writesTo } from "../support/commits.ts"

export const eventTimestampsAreMonotonic = monitoredProperty<null>({
  name: "event timestamps are monotonic",
  kind: "always",
  says: "The timestamps of a chain are monotonic: no event is dated before its predecessor.",
  judges: { kinds: [], commitsTo: [ProjectEvents, ProposalEvents, AuthorityEvents] },
  initial: null,
  next: (_, { observed, rows }) => {
    for (const table of [ProjectEvents, ProposalEvents, AuthorityEvents]) {
      for (const { key } of writesTo(observed, table)) {
        const [id, sequence] = [String(key[0]), Number(key[1])]
        const [one, next] = [sequence - 1, sequence].map((position): ChainEventRow | undefined =>
          rowIn(rows, table, [id, position])
        )
        if (one !== undefined && next !== undefined && isDatedBefore(next, one)) {
          return violation(`event ${sequence} of ${id} is dated before its predecessor`)
        }
      }
    }
    return null
  }
})
