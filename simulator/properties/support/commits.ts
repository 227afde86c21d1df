/** The writes of a commit, and whether they are the effect of its request or bookkeeping. */
import { Credentials } from "../../../src/access/store.ts"
import { CommerceOrders } from "../../../src/commerce/store.ts"
import { AttemptCounters, Sessions } from "../../../src/people/store.ts"
import type { AnyTable, RowOf } from "../../../src/ports/table.ts"
import { Issuances } from "../../../src/projects/store.ts"
import { RequestKeys } from "../../../src/replay/store.ts"
import { WebhookDeliveries, WebhookProjectCursors, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import type { TimedObservation, Write } from "../../observation/observation.ts"
import { type Moment, rowIn, type Rows } from "../property.ts"

export type CommitObservation = Extract<TimedObservation, { readonly kind: "commit" }>

/** The writes to this table; empty for other observations than commits. */
export const writesTo = (
  observed: TimedObservation,
  table: AnyTable,
  change?: Write["change"]
): ReadonlyArray<Write> =>
  observed.kind === "commit"
    ? observed.writes.filter((write) => write.table === table.name && (change === undefined || write.change === change))
    : []

/** The inserted and changed rows of one table, as they are after the commit. */
export const rowsWritten = <T extends AnyTable>(
  observed: TimedObservation,
  rows: Rows,
  table: T,
  change?: Write["change"]
): ReadonlyArray<RowOf<T>> =>
  writesTo(observed, table, change)
    .map(({ key }) => rowIn(rows, table, key))
    .filter((row) => row !== undefined)

/** Every written row of one table, before and after the commit. */
export const changesTo = <T extends AnyTable>(
  { observed, before, rows }: Pick<Moment, "observed" | "before" | "rows">,
  table: T
) => writesTo(observed, table).map(({ key }) => ({ key, was: rowIn(before, table, key), is: rowIn(rows, table, key) }))

/** The distinct first key columns of the rows written to these tables. */
export const firstKeysOf = (observed: TimedObservation, ...tables: ReadonlyArray<AnyTable>): ReadonlyArray<string> => [
  ...new Set(tables.flatMap((table) => writesTo(observed, table).map(({ key: [first] }) => String(first))))
]

/** True if the commit has an effect that was requested. */
export const hasEffect = (commit: CommitObservation): boolean =>
  !commit.writes.every(isBookkeeping) && !isDeliveryNumbering(commit) && !isIssuing(commit)

/** Writes that any request may leave behind: the last use of a credential or session, and the counters of attempts. */
export const isBookkeeping = ({ table, change }: Write): boolean =>
  table === AttemptCounters.name || (change === "update" && (table === Credentials.name || table === Sessions.name))

/** Queued deliveries get their numbers from the first worker or reader. */
export const isDeliveryNumbering = (commit: CommitObservation): boolean =>
  writesTo(commit, WebhookDeliveries, "insert").length > 0 && commit.writes.every(({ table }) => numbered.has(table))

const numbered: ReadonlySet<string> = new Set([
  WebhookDeliveries.name,
  WebhookProjectCursors.name,
  WebhookSubscriptions.name
])

/** The provider's answer to the opening of a payment attempt that an earlier commit made. */
export const isOpeningOutcome = (commit: CommitObservation): boolean =>
  writesTo(commit, CommerceOrders, "update").length > 0 &&
  writesTo(commit, CommerceOrders, "insert").length === 0 &&
  writesTo(commit, RequestKeys).length === 0

/** The issuance of a record that was requested in an earlier commit: the effect of that request. */
const isIssuing = (commit: CommitObservation): boolean =>
  writesTo(commit, Issuances, "update").length > 0 && writesTo(commit, RequestKeys).length === 0
