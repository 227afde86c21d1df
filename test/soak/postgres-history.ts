/**
 * Every change of every row, recorded by Postgres triggers in the transaction of the change. Replayed in commit order,
 * the history of real processes is checked by the simulator's properties.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { columnName, columnsOf, quoted } from "../../src/adapters/postgres-storage/columns.ts"
import type { Signer } from "../../src/ports/signer.ts"
import { storedRow, type StoredRow } from "../../src/ports/storage/stored-values.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { tables } from "../../src/tables.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { NameRegistry } from "../../simulator/clients/name-registry.ts"
import { attemptsAreCountedUnderALease } from "../../simulator/properties/safety/attempts-are-counted-under-a-lease.ts"
import { creditsAreConserved } from "../../simulator/properties/safety/credits-are-conserved.ts"
import { everyChainVerifies } from "../../simulator/properties/safety/every-chain-verifies.ts"
import { noDeliveryIsLost } from "../../simulator/properties/safety/no-delivery-is-lost.ts"
import { eventIsQueuedOncePerActiveSubscription } from "../../simulator/properties/safety/event-is-queued-once-per-active-subscription.ts"
import { Monitors } from "../../simulator/properties/monitors.ts"
import { oneHomePerTransaction } from "../../simulator/properties/safety/one-home-per-transaction.ts"
import { oneLiveCredentialPerGrant } from "../../simulator/properties/safety/one-live-credential-per-grant.ts"
import { renewalPreservesTheGrant } from "../../simulator/properties/safety/renewal-preserves-the-grant.ts"
import { eventTimestampsAreMonotonic } from "../../simulator/properties/safety/event-timestamps-are-monotonic.ts"
import { VirtualScheduler } from "../../simulator/kernel/scheduler.ts"
import { type Content, emptyContent, replaceRow, rowAt } from "../../simulator/storage/memory-storage/content.ts"
import type { Write } from "../../simulator/observation/observation.ts"

/** The properties that need only commits and rows; requests and responses are checked by the clients' log. */
export const historyProperties = [
  eventTimestampsAreMonotonic,
  oneLiveCredentialPerGrant,
  renewalPreservesTheGrant,
  creditsAreConserved,
  everyChainVerifies,
  eventIsQueuedOncePerActiveSubscription,
  noDeliveryIsLost,
  attemptsAreCountedUnderALease,
  oneHomePerTransaction
]

/** Installs the triggers. Each names its table, since in a partition the table of the trigger is the partition. */
export const recordChanges = (session: PgConnection.PgConnection): Effect.Effect<void> =>
  Effect.forEach(
    [
      `create table soak_changes (id bigserial primary key, transaction bigint not null, changed text not null,
        operation text not null, row jsonb not null)`,
      `create function soak_note() returns trigger language plpgsql as $$ begin
        insert into soak_changes (transaction, changed, operation, row)
          values (pg_current_xact_id()::text::bigint, tg_argv[0], tg_op, to_jsonb(coalesce(new, old)));
        return null;
      end $$`,
      ...tables.map(
        ({ name }) => `create trigger soak_note after insert or update or delete on ${quoted(name)}
          for each row execute function soak_note(${quoted(name)})`
      )
    ],
    (statement) => session.query(statement, [], false),
    { discard: true }
  ).pipe(Effect.orDie)

/** The changes of one transaction, and its commit time in milliseconds. */
export interface CommittedTransaction {
  readonly at: number
  readonly changes: ReadonlyArray<Change>
}

export interface Change {
  readonly table: AnyTable
  readonly change: Write["change"]
  readonly row: StoredRow
}

/** Every committed transaction, in commit order. */
export const readHistory = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  const rows = yield* Effect.orDie(session.queryValues(changesInOrder, [], false))
  const byName = new Map<string, AnyTable>(tables.map((table) => [columnName(table.name), table]))
  const history: Array<{ readonly transaction: string; readonly at: number; readonly changes: Array<Change> }> = []
  for (const [transaction, at, applyChange, operation, row] of rows) {
    const table = byName.get(String(applyChange))
    if (table === undefined) continue
    const last = history.at(-1)
    const own = last?.transaction === String(transaction) ? last : undefined
    const commit = own ?? { transaction: String(transaction), at: Number(at), changes: [] }
    if (own === undefined) history.push(commit)
    commit.changes.push({ table, change: changes[String(operation)]!, row: rowOf(table, row as StoredRow) })
  }
  return history as ReadonlyArray<CommittedTransaction>
})

const changesInOrder = `select transaction, extract(epoch from pg_xact_commit_timestamp(xmin))::double precision * 1000,
  changed, operation, row from soak_changes order by pg_xact_commit_timestamp(xmin), transaction, id`

const changes: { readonly [operation: string]: Write["change"] } = {
  INSERT: "insert",
  UPDATE: "update",
  DELETE: "remove"
}

const rowOf = (table: AnyTable, row: StoredRow): StoredRow =>
  storedRow(
    table,
    Object.fromEntries(
      columnsOf(table).map((column) => {
        const value = row[columnName(column)]
        const isInstant = table.columns[column].type === "instant" && value !== null
        return [column, isInstant ? fromMilliseconds(Date.parse(String(value))) : value]
      })
    )
  )

/** The first violation, if any. */
export const checkHistory = (
  history: ReadonlyArray<CommittedTransaction>,
  keys: Signer["Service"]["keys"]
): ReadonlyArray<string> => {
  const monitors = new Monitors(historyProperties, emptyContent, keys)
  const directory = new NameRegistry(new VirtualScheduler({ seed: 0, startsAt: 0 }))
  let content: Content = emptyContent
  for (const [index, { at, changes }] of history.entries()) {
    const moment = fromMilliseconds(Math.floor(at))
    const isClaim = changes.every((change) => isLease(change, content))
    for (const change of changes) content = applyChange(content, change)
    const writes = changes.map(({ table, change, row }) => ({ table: table.name, change, key: keyOf(table, row) }))
    // A claim is a statement of its own: in the simulator it changes rows without an observed commit.
    if (isClaim) monitors.observe({ kind: "time", to: moment, at: moment }, content, directory)
    else monitors.observe({ kind: "commit", actor: "a process", writes, at: moment }, content, directory)
    const { violation } = monitors
    if (violation !== undefined) return [`${violation.property}: ${violation.words} (commit ${index + 1} at ${moment})`]
  }
  return []
}

const applyChange = (content: Content, { table, change, row }: Change): Content =>
  replaceRow(
    content,
    table,
    change === "insert" ? undefined : rowAt(content, table, "key", keyOf(table, row)),
    change === "remove" ? undefined : row
  )

const isLease = ({ table, change, row }: Change, content: Content): boolean => {
  const before = rowAt(content, table, "key", keyOf(table, row))
  if (table.lease === undefined || change !== "update" || before === undefined) return false
  const { leasedUntil, token } = table.lease
  const differing = columnsOf(table).filter((column) => JSON.stringify(before[column]) !== JSON.stringify(row[column]))
  return row[token] !== "" && differing.every((column) => column === leasedUntil || column === token)
}

export const keyOf = (table: AnyTable, row: StoredRow): Write["key"] =>
  table.key.map((column: string) => row[column] as Write["key"][number])
