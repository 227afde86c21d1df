/** Fills tables as in a busy installation: copies of real rows under new keys. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"

/** For each table, the columns that a copy replaces; `key` is a different UUID for each number. */
const copies: Readonly<Record<string, string>> = {
  organizations: `'organization_id', 'organization_' || key`,
  persons: `'person_id', 'person_' || key, 'subject', key`,
  memberships: `'membership_id', 'membership_' || key, 'organization_id', 'organization_' || key,
    'person_id', 'person_' || key`,
  grants: `'grant_id', 'grant_' || key, 'membership_id', 'membership_' || key,
    'organization_id', 'organization_' || key, 'person_id', 'person_' || key`,
  credentials: `'token_hash', encode(sha256(convert_to(key, 'UTF8')), 'hex'), 'grant_id', 'grant_' || key,
    'membership_id', 'membership_' || key`,
  authority_events: `'grant_id', 'grant_' || key`,
  projects: `'project_id', 'delivery_' || key`,
  project_events: `'project_id', 'delivery_' || key`,
  grant_projects: `'grant_id', 'grant_' || key, 'project_id', 'delivery_' || key`,
  request_keys: `'request_id', key`
}

export const fillTables = Effect.fnUntraced(function* (database: ConnectionOptions, rows: number) {
  const session = yield* PgConnection.make(database)
  // The copies refer to each other; foreign-key checks would take most of the time.
  yield* session.query("set session_replication_role = replica", [], false)
  for (const [table, columns] of Object.entries(copies)) {
    yield* session.query(
      `insert into ${table}
       select copy.* from (select ${table} as real from ${table} limit 1) as model, generate_series(1, ${rows}) as number,
         lateral (select md5(number::text)::uuid::text as key) as keys,
         lateral jsonb_populate_record(real, jsonb_build_object(${columns})) as copy`,
      [],
      false
    )
  }
  yield* session.query("analyze", [], false)
  // Writes are flushed now, and not during a measurement.
  yield* session.query("checkpoint", [], false)
}, Effect.scoped)
