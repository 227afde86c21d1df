/** Tables of the contract suite: one for each guard, with every column type and kind of index that a store must support. */
import { proofTable } from "../../src/adapters/postgres-storage/commit-proofs.ts"
import * as Table from "../../src/ports/table.ts"

/** Locked by the lock key `grant`, shared by readers of its authority. */
export const Keys = Table.table("keys", {
  columns: { id: Table.text(), revoked: Table.boolean },
  key: ["id"],
  guard: { lock: "grant", by: "id" }
})

/** Locked by its row, lock key `project`. */
export const Accounts = Table.table("accounts", {
  columns: { id: Table.text(), balance: Table.integer, paused: Table.boolean, owner: Table.nullable(Table.text()) },
  key: ["id"],
  guard: { lock: "project", by: "id" }
})

export const Entries = Table.table("entries", {
  columns: { accountId: Table.text(), number: Table.integer, label: Table.text(), group: Table.text() },
  key: ["accountId", "number"],
  guard: { lock: "project", by: "accountId" },
  unique: { byLabel: ["accountId", "label"] },
  ordered: { byGroup: ["accountId", "group", "number"] }
})

/** A history under a lock, each of whose rows proves the commit that wrote it. */
export const Movements = Table.table("movements", {
  columns: {
    accountId: Table.text(),
    number: Table.integer,
    hash: Table.text(),
    note: Table.nullable(Table.text()),
    at: Table.instant
  },
  key: ["accountId", "number"],
  guard: { lock: "project", by: "accountId" },
  provesCommit: true
})

/** Rows that never change, and whose keys must be unique among concurrent transactions. */
export const Facts = Table.table("facts", {
  columns: {
    id: Table.text(),
    body: Table.nullable(Table.text()),
    count: Table.integer,
    isTrue: Table.boolean,
    happenedAt: Table.instant,
    payload: Table.json<unknown>()
  },
  key: ["id"],
  guard: "append-only",
  provesCommit: true,
  ordered: { byTime: ["happenedAt", "id"], byCount: ["count", "id"] }
})

/** Idempotency keys: the loser of a race is retried and finds the winner's row. */
export const Replays = Table.table("replays", {
  columns: { id: Table.text(), place: Table.text(), answer: Table.text() },
  key: ["id"],
  guard: "append-only",
  erasable: { lock: "counter", by: "id", columns: ["answer"] },
  unique: { byPlace: ["place"] },
  raced: true
})

export const Jobs = Table.table("jobs", {
  columns: {
    id: Table.text(),
    dueAt: Table.instant,
    leasedUntil: Table.nullable(Table.instant),
    token: Table.nullable(Table.text())
  },
  key: ["id"],
  guard: "append-only",
  ordered: { byDue: ["dueAt", "id"] },
  partial: { byDue: "dueAt" },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "token" }
})

/** Partitioned by the month of an instant that a change names beside the key. */
export const Readings = Table.table("readings", {
  columns: { accountId: Table.text(), number: Table.integer, at: Table.instant, value: Table.integer },
  key: ["accountId", "number"],
  guard: { lock: "project", by: "accountId" },
  partition: "at"
})

export const contractTables = [Keys, Accounts, Entries, Movements, Facts, Replays, Jobs, Readings]

export const contractSchema: ReadonlyArray<string> = [
  proofTable,
  `create table keys (id text collate "C" not null primary key, revoked boolean not null)`,
  `create table accounts (id text collate "C" not null primary key, balance bigint not null,
    paused boolean not null, owner text collate "C")`,
  `create table entries (account_id text collate "C" not null, number bigint not null,
    label text collate "C" not null, "group" text collate "C" not null, primary key (account_id, number))`,
  `create unique index entries_by_label on entries (account_id, label)`,
  `create index entries_by_group on entries (account_id, "group", number)`,
  `create table movements (account_id text collate "C" not null, number bigint not null, hash text collate "C" not null,
    note text collate "C", at timestamptz(3) not null, primary key (account_id, number))`,
  `create table facts (id text collate "C" not null primary key, body text collate "C", count bigint not null,
    is_true boolean not null, happened_at timestamptz(3) not null, payload jsonb not null)`,
  `create index facts_by_time on facts (happened_at, id)`,
  `create index facts_by_count on facts (count, id)`,
  `create table replays (id text collate "C" not null primary key, place text collate "C" not null,
    answer text collate "C" not null)`,
  `create unique index replays_by_place on replays (place)`,
  `create table jobs (id text collate "C" not null primary key, due_at timestamptz(3) not null,
    leased_until timestamptz(3), token text collate "C")`,
  `create index jobs_by_due on jobs (due_at, id) where due_at < '9999-12-31T23:59:59.999Z'`,
  `create table readings (account_id text collate "C" not null, number bigint not null, at timestamptz(3) not null,
    value bigint not null, primary key (account_id, number, at)) partition by range (at)`,
  "create table readings_2026_01 partition of readings for values from ('2026-01-01T00:00:00Z') to ('2026-02-01T00:00:00Z')",
  "create table readings_default partition of readings default"
]
