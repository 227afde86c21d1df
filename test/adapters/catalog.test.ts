import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { contractSchema, contractTables } from "../contract/tables.ts"
import { tables } from "../../src/tables.ts"
import { freshDatabase } from "../support/postgres.ts"
import { freshService } from "../support/service.ts"
import { catalogDifferences } from "./catalog.ts"

it.live("The declared tables of the contract suite match their catalog.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* catalogDifferences(yield* freshDatabase(contractSchema), contractTables), [])
    })
  )
)

it.live("The declared tables of the service match the catalog of a migrated database.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* catalogDifferences(yield* freshService, tables), [])
    })
  )
)

const changedSchemas: ReadonlyArray<readonly [statement: string, difference: string]> = [
  ["drop table facts", "table facts is missing"],
  ["create table more (id text)", "table more is not declared"],
  ["alter table keys add column more text", "keys.more is not declared"],
  ["alter table keys drop column revoked", "keys.revoked is missing"],
  ["alter table facts alter column count type integer", "facts.count is integer, not bigint"],
  ["alter table facts alter column payload type json", "facts.payload is json, not jsonb"],
  [
    "alter table facts alter column happened_at type timestamptz",
    "facts.happened_at is timestamp with time zone, not timestamp(3) with time zone"
  ],
  ["alter table accounts alter column owner set not null", "accounts.owner is not null"],
  ["alter table accounts alter column balance drop not null", "accounts.balance is nullable"],
  [`alter table facts alter column body type text collate "default"`, "facts.body has the collation default, not C"],
  ["alter table keys drop constraint keys_pkey", "keys has not the primary key (id)"],
  ["alter table keys rename constraint keys_pkey to other", "the primary key of keys is not named keys_pkey"],
  ["drop index entries_by_label", "entries lacks the unique index byLabel (accountId, label)"],
  ["drop index entries_by_group", "entries lacks the ordered index byGroup (accountId, group, number)"],
  [
    "do $$ begin drop index jobs_by_due; create index jobs_by_due on jobs (due_at, id); end $$",
    "jobs lacks the ordered index byDue (dueAt, id)"
  ]
]

for (const [statement, difference] of changedSchemas) {
  it.live(`The comparison with the catalog reports the effect of "${statement}".`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const found = yield* catalogDifferences(yield* freshDatabase([...contractSchema, statement]), contractTables)
        assert.include(found, difference)
      })
    )
  )
}
