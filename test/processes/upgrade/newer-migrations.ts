/** The migrations of a next version: those of this one, an expand in every kind of step, and a contract. */
import { migrations as present } from "../../../src/migrations/all.ts"
import type { Migration } from "../../../src/migrations/migration.ts"

const expand: Migration = {
  id: present.length + 1,
  name: "first_states",
  kind: "expand",
  steps: [
    {
      kind: "transaction",
      statements: [
        `alter table projects add column first_state text collate "C"`,
        "alter table projects add constraint projects_first_state check (first_state <> '') not valid"
      ]
    },
    {
      kind: "batches",
      change:
        "update projects set first_state = state where project_id in" +
        " (select project_id from projects where first_state is null order by project_id limit 2)"
    },
    { kind: "index", name: "projects_by_first_state", on: "projects (first_state, project_id)" },
    { kind: "validation", table: "projects", constraint: "projects_first_state" }
  ]
}

const contract: Migration = {
  id: present.length + 2,
  name: "former_order_of_events",
  kind: "contract",
  steps: [{ kind: "transaction", statements: ["drop index webhook_events_by_due"] }]
}

export const migrations: ReadonlyArray<Migration> = [...present, expand, contract]
