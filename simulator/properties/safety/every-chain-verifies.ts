/**
 * Verifies each appended event independently, with the issuer's keys and no code of the service (spec 4.8); earlier
 * events were verified when they were appended.
 */
import { AuthorityEvents, Grants } from "../../../src/access/store.ts"
import {
  type ChainEventRow,
  type ChainForm,
  chainForms,
  type ChainGapRow,
  chainProblem
} from "../../../src/integrity/signed-chain.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import { HistoryGaps, ProjectEvents, Projects } from "../../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalVersions } from "../../../src/proposals/store.ts"
import {
  type PropertyViolation,
  violation,
  monitoredProperty,
  type Moment,
  rowIn,
  type Rows,
  rowsWithPrefix
} from "../property.ts"
import { firstKeysOf, writesTo } from "../support/commits.ts"

export const everyChainVerifies = monitoredProperty<null>({
  name: "every chain verifies",
  kind: "always",
  says: "Each event is signed with a valid key for its purpose, names the hash of its predecessor, and is counted by its project, proposal or grant.",
  judges: { kinds: [], commitsTo: [ProjectEvents, Projects, ProposalEvents, Proposals, AuthorityEvents, Grants] },
  initial: null,
  next: (_, moment) => {
    if (moment.observed.kind !== "commit") return null
    for (const chain of chains) {
      for (const id of firstKeysOf(moment.observed, chain.events, chain.heads)) {
        const words = chainViolation(chain, id, moment)
        if (words !== undefined) return words
      }
    }
    return null
  }
})

/** The tables of a chain, the signatures of its events, and its head. */
interface Chain {
  readonly events: AnyTable
  readonly heads: AnyTable
  readonly form: ChainForm
  /** The predecessor hash of the first event. */
  readonly first: (rows: Rows, id: string) => string | null | undefined
  /** The hash and the number of the last event, from the owner's row. */
  readonly head: (rows: Rows, id: string) => readonly [hash: string, count: number] | undefined
}

const headIn =
  (table: typeof Projects | typeof Proposals): Chain["head"] =>
  (rows, id) => {
    const row = rowIn(rows, table, [id])
    return row && [row.headEventHash, row.eventCount]
  }

const chains: ReadonlyArray<Chain> = [
  {
    events: ProjectEvents,
    heads: Projects,
    form: chainForms.project,
    first: (rows, id) => rowIn(rows, Projects, [id])?.agreementDigest,
    head: headIn(Projects)
  },
  {
    events: ProposalEvents,
    heads: Proposals,
    form: chainForms.proposal,
    first: (rows, id) => rowIn(rows, ProposalVersions, [id, 1])?.digest,
    head: headIn(Proposals)
  },
  {
    events: AuthorityEvents,
    heads: Grants,
    form: chainForms.grant,
    first: () => null,
    head: (rows, id) => {
      const row = rowIn(rows, Grants, [id])
      return row && [row.authorityHead, row.authoritySequence]
    }
  }
]

const chainViolation = (chain: Chain, id: string, { observed, rows, keys }: Moment): PropertyViolation | undefined => {
  const written = writesTo(observed, chain.events).filter(({ key }) => key[0] === id)
  const changed = written.find(({ change }) => change !== "insert")
  if (changed !== undefined) return violation(`event ${changed.key[1]} of ${id} was overwritten`)
  const events = rowsWithPrefix(rows, chain.events, [id]).map((row) => row as unknown as ChainEventRow)
  const from = Math.max(0, events.length - Math.max(1, written.length))
  const gaps = rowsWithPrefix(rows, HistoryGaps, [id]).map((row) => row as unknown as ChainGapRow)
  const stored = { id, origin: chain.first(rows, id), head: chain.head(rows, id), events, gaps }
  const wrong = chainProblem(chain.form, stored, keys, from)
  return wrong === undefined ? undefined : violation(wrong)
}
