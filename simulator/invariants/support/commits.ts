/** What a commit wrote, and whether that is what was asked for or only goes along with it. */
import { Credentials } from "../../../src/access/store.ts"
import { AttemptCounters, Sessions } from "../../../src/people/store.ts"
import type { AnyTable, RowOf } from "../../../src/ports/table.ts"
import { Issuances } from "../../../src/projects/store.ts"
import { RequestKeys } from "../../../src/replay/store.ts"
import { WebhookDeliveries, WebhookReaches, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import type { Observed, Write } from "../../observation.ts"
import { type Moment, rowIn, type Rows } from "../invariant.ts"

export type CommitSeen = Extract<Observed, { readonly kind: "commit" }>

/** What was written to this table; nothing where no commit is observed. */
export const writesTo = (observed: Observed, table: AnyTable, change?: Write["change"]): ReadonlyArray<Write> =>
  observed.kind === "commit"
    ? observed.writes.filter((write) => write.table === table.name && (change === undefined || write.change === change))
    : []

/** The rows of one table that were inserted or changed, as they are after it. */
export const rowsWritten = <T extends AnyTable>(
  observed: Observed,
  rows: Rows,
  table: T,
  change?: Write["change"]
): ReadonlyArray<RowOf<T>> =>
  writesTo(observed, table, change)
    .map(({ key }) => rowIn(rows, table, key))
    .filter((row) => row !== undefined)

/** Every row of one table that was written, as it was before and as it is after. */
export const changesTo = <T extends AnyTable>(
  { observed, before, rows }: Pick<Moment, "observed" | "before" | "rows">,
  table: T
) => writesTo(observed, table).map(({ key }) => ({ key, was: rowIn(before, table, key), is: rowIn(rows, table, key) }))

/** The keys of these tables that were written, by their first column, each once. */
export const firstKeysOf = (observed: Observed, ...tables: ReadonlyArray<AnyTable>): ReadonlyArray<string> => [
  ...new Set(tables.flatMap((table) => writesTo(observed, table).map(({ key: [first] }) => String(first))))
]

/** Something changed that somebody asked for. */
export const hasEffect = (commit: CommitSeen): boolean =>
  !commit.writes.every(isNote) && !isNumbering(commit) && !isIssuing(commit)

/**
 * What any request may leave behind, whatever becomes of it: when a credential or a session was used last, and how often
 * somebody guessed at a code.
 */
export const isNote = ({ table, change }: Write): boolean =>
  table === AttemptCounters.name || (change === "update" && (table === Credentials.name || table === Sessions.name))

/** Deliveries that were queued with an event get their numbers when somebody first looks: a worker, or a reader. */
export const isNumbering = (commit: CommitSeen): boolean =>
  writesTo(commit, WebhookDeliveries, "insert").length > 0 && commit.writes.every(({ table }) => numbered.has(table))

const numbered: ReadonlySet<string> = new Set([WebhookDeliveries.name, WebhookReaches.name, WebhookSubscriptions.name])

/** Carries out a wish to have a record issued that was committed before: an effect of that wish, whoever comes to it. */
const isIssuing = (commit: CommitSeen): boolean =>
  writesTo(commit, Issuances, "update").length > 0 && writesTo(commit, RequestKeys).length === 0
