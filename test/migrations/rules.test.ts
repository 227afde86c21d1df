/** Every migration from 16 on can run beside the previous version; each rule has counterexamples that it refuses. */
import { assert, describe, it } from "vitest"
import { migrations } from "../../src/migrations/all.ts"
import type { Migration, Step } from "../../src/migrations/migration.ts"
import { rules, violationsOf } from "./rules.ts"

const transaction = (...statements: ReadonlyArray<string>): Step => ({ kind: "transaction", statements })
const batches = (change: string): Step => ({ kind: "batches", change })

const migration = (kind: Migration["kind"], steps: ReadonlyArray<Step>): Migration => ({
  id: 99,
  name: "example",
  kind,
  steps
})

const expand = (...steps: ReadonlyArray<Step>) => migration("expand", steps)
const contract = (...steps: ReadonlyArray<Step>) => migration("contract", steps)
const alter = (change: string) => expand(transaction(`alter table projects ${change}`))

/** The beginning of a rule's name, and what it refuses. */
const counterexamples: ReadonlyArray<readonly [rule: string, example: Migration]> = [
  ["changes the type", alter("alter column event_count type text")],
  ["changes the type", contract(transaction("alter table projects alter event_count set data type numeric"))],
  ["adds a column whose values are computed", alter("add column seen timestamptz default clock_timestamp()")],
  ["adds a column whose values are computed", alter("add column place bigserial")],
  [
    "adds a column whose values are computed",
    alter("add column twice bigint generated always as (event_count * 2) stored")
  ],
  ["builds an index while", expand(transaction("create index projects_by_state on projects (state)"))],
  [
    "builds or drops an index conc",
    expand(transaction("create index concurrently projects_by_state on projects (state)"))
  ],
  ["builds or drops an index conc", contract(transaction("drop index concurrently projects_by_state"))],
  ["adds a unique", alter("add constraint projects_head unique (head_event_hash)")],
  ["adds a unique", alter("add column place bigint unique")],
  ["validates a constraint", alter("add constraint projects_count check (event_count > 0)")],
  ["validates a constraint", alter("add constraint projects_buyer foreign key (buyer) references organizations")],
  ["validates a constraint", alter("add column place bigint check (place > 0)")],
  ["sets a column not null", alter("alter column draft_id set not null")],
  [
    "sets a column not null",
    expand(
      transaction("alter table projects add constraint projects_draft check (draft_id is not null) not valid"),
      transaction("alter table projects alter column draft_id set not null")
    )
  ],
  ["adds a column that is not null", alter("add column place bigint not null")],
  ["renames", alter("rename column state to status")],
  ["renames", contract(transaction("alter table projects rename to agreements"))],
  ["drops what", alter("drop column state")],
  ["drops what", expand(transaction("drop table projects"))],
  ["drops what", expand(transaction("drop index projects_by_state"))],
  ["drops what", alter("alter column state drop default")],
  [
    "locks several tables",
    expand(transaction("alter table projects add column a bigint", "alter table grants add column a bigint"))
  ],
  [
    "locks several tables",
    expand(transaction("create table a (b text references projects, c text references grants (grant_id))"))
  ],
  ["changes rows in", expand(transaction("alter table projects add column a bigint", "update projects set a = 1"))],
  ["updates or deletes", expand(transaction("delete from projects where state = 'LOCKED'"))],
  ["has batches without a limit", expand(batches("update projects set a = 1 where a is null"))],
  [
    "has batches without a limit",
    expand(batches("update projects set a = 1 where id in (select id from projects where a is null limit 100000)"))
  ],
  [
    "has batches that skip",
    expand(
      batches("delete from projects where id in (select id from projects where a = 1 limit 9 for update skip locked)")
    )
  ],
  [
    "adds a trigger",
    expand(transaction("create trigger a before insert on projects for each row execute function b()"))
  ],
  ["rewrites or locks", expand(transaction("cluster projects using projects_pkey"))],
  ["rewrites or locks", expand(transaction("vacuum full projects"))],
  ["rewrites or locks", contract(transaction("truncate projects"))],
  ["rewrites or locks", expand(transaction("lock table projects"))],
  ["controls its own", expand(transaction("set lock_timeout = '10min'"))],
  ["controls its own", expand(transaction("commit"))],
  ["executes code", expand(transaction("do $$ begin update projects set state = 'LOCKED'; end $$"))]
]

describe("the rules of migrations", () => {
  it("Every migration from 16 on keeps the rules.", async () => {
    const found = await Promise.all(migrations.filter(({ id }) => id > 15).map(violationsOf))
    assert.deepStrictEqual(found.flat(), [])
  })

  it.each(counterexamples)("A migration that %s is refused: %#", async (rule, example) => {
    const found = await violationsOf(example)
    assert.isTrue(
      found.some((violation) => violation.includes(`: ${rule}`)),
      `${JSON.stringify(example.steps)} violates ${JSON.stringify(found)}`
    )
  })

  it("Each rule has a counterexample.", () => {
    const unproven = rules.filter(({ name }) => !counterexamples.some(([rule]) => name.startsWith(rule)))
    assert.deepStrictEqual(unproven, [])
  })

  it("A migration that adds, fills, indexes and validates in steps keeps the rules, and so does its contract.", async () => {
    const large = expand(
      transaction(
        "create table days (day date primary key, project_id text references projects)",
        "create index days_by_project on days (project_id)",
        "insert into days values ('2026-11-28', null)"
      ),
      transaction(
        "alter table projects add column day date, add column place bigint not null default 0",
        "alter table projects add constraint projects_day check (day is not null) not valid"
      ),
      batches(
        "update projects set day = created_at where id in (select id from projects where day is null limit 1000)"
      ),
      { kind: "index", name: "projects_by_day", on: "projects (day) where day is not null" },
      { kind: "validation", table: "projects", constraint: "projects_day" },
      transaction("alter table projects alter column day set not null")
    )
    assert.deepStrictEqual(await violationsOf(large), [])
    const after = contract(
      transaction("alter table projects drop column place, drop constraint projects_day"),
      transaction("drop index projects_by_day")
    )
    assert.deepStrictEqual(await violationsOf(after), [])
  })
})
