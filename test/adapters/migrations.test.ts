/** A database that was in use before a migration keeps its content, and the new program reads it. */
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import { signingInput } from "../../src/canonical/jws.ts"
import { migrations } from "../../src/migrations/all.ts"
import { freshDatabase } from "../support/postgres.ts"

const at = "'2026-03-01T00:00:00Z'"
const until = "'2027-03-01T00:00:00Z'"
const membership = (id: string, validFrom: string, endedAt: string) =>
  `insert into memberships values ('${id}', 'tenant_1', 'organization_1', 'person_1', '[]', ${validFrom}, ${until}, ${endedAt})`
const grant = (id: string) =>
  `insert into grants values ('${id}', 'tenant_1', 'organization_1', 'membership_2', 'person_1', 'Dana', 'agent_1', 'Scout',
    'BUYER', '[]', '[]', ${at}, ${until}, null, 1, 0, 'head', 1, ${at})`
const project = (id: string, supplier: string) =>
  `insert into projects values ('${id}', 'tenant_1', 'organization_1', 'person_1', ${supplier}, null, 'LOCKED', '{}', 'd', 'h',
    1, 10, ${at}, 0, '[]', ${at})`

const jwsOf = (kid: string) => `${signingInput({ kid, typ: "service.authority-event/v1" }, new Uint8Array())}.signature`

/** An event with its payload, encoded as in a JWS; the migrations verify no signature. */
const event = (id: string, sequence: number, kind: string, payload: object) => {
  const body = Buffer.from(JSON.stringify({ kind, payload })).toString("base64url")
  return `insert into project_events values ('${id}', ${sequence}, '${kind}', 'h${sequence}', 'header.${body}.signature', ${at})`
}

const before = [
  `insert into organizations values ('organization_1', 'tenant_1', 'Harbor', ${at})`,
  `insert into persons values ('person_1', 'i', 's1', 'Dana', ${at}), ('person_2', 'i', 's2', 'Sam', ${at})`,
  membership("membership_1", at, at),
  membership("membership_2", "'2026-03-02T00:00:00Z'", "null"),
  grant("grant_1"),
  `insert into credentials values (repeat('a', 64), 'grant_1', 'membership_2', 1, ${at})`,
  `insert into authority_events values ('grant_1', 1, 'h', '${jwsOf("a-b_c")}'), ('grant_1', 2, 'h', '${jwsOf("a-b_c")}'),
    ('grant_1', 3, 'h', '${jwsOf("kid-of-43")}'), ('grant_1', 4, 'h', 'no signature')`,
  project("delivery_1", "'person_2'"),
  project("delivery_2", "null"),
  event("delivery_1", 1, "CREATE", {}),
  event("delivery_1", 2, "SIGN", {
    party: "SUPPLIER",
    signature: { statement: 'Gezeichnet: ß, 署名, \u0000, "party":"NONE"' }
  }),
  event("delivery_1", 3, "DATE_REVISION", { purpose: "REVIEW" }),
  event("delivery_1", 4, "LIFT_HOLD", { purpose: "REVIEW" }),
  event("delivery_1", 5, "SIGN", { party: "BUYER" }),
  event("delivery_1", 6, "DATE_REVISION", { purpose: "DELIVERY" }),
  event("delivery_2", 1, "DATE_REVISION", { purpose: "DELIVERY" }),
  event("delivery_2", 2, "SUPERSEDE", {})
]

it.live("The migrations keep the people, credentials and projects of the first schema.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* freshDatabase()
      yield* migrate(database, migrations.slice(0, 4))
      const session = yield* PgConnection.make(database)
      for (const statement of before) yield* session.query(statement)
      const read = (columns: string, table: string) =>
        Effect.map(session.query(`select ${columns} from ${table} order by 1, 2`), ({ rows }) =>
          rows.map((row) => Object.values(row).join(" "))
        )
      assert.deepStrictEqual(yield* migrate(database, migrations.slice(0, 5)), ["delegated_access"])
      yield* session.query(
        `insert into self_service_accounts values ('organization_1', 'person_1', 'membership_2', ${at}, null)`
      )
      assert.deepStrictEqual(yield* migrate(database, migrations), [
        "whole_life",
        "preparation",
        "callbacks",
        "installation",
        "administration",
        "lists",
        "publications",
        "commerce",
        "lineage",
        "delivery_leases",
        "lost_history",
        "monthly_attempts",
        "room_for_updates",
        "paged_lists",
        "rows_in_force"
      ])
      assert.deepStrictEqual(yield* read("membership_id, authorities::text", "memberships"), [
        "membership_1 []",
        `membership_2 ["FINANCIAL_MANAGE"]`
      ])
      assert.deepStrictEqual(yield* read("person_id, organization_id, membership_id", "membership_places"), [
        "person_1 organization_1 membership_2"
      ])
      assert.deepStrictEqual(
        yield* read("grant_id, first_used_at = created_at as first, last_used_at = created_at as last", "credentials"),
        ["grant_1 true true"]
      )
      assert.deepStrictEqual(yield* read("kid, valid_from < clock_timestamp() as signed", "countersign_issuer_keys"), [
        "a-b_c true",
        "kid-of-43 true"
      ])
      assert.deepStrictEqual(yield* read("party, project_id, role", "project_sides"), [
        "organization_1 delivery_1 BUYER",
        "organization_1 delivery_2 BUYER",
        "person_2 delivery_1 SUPPLIER"
      ])
      assert.deepStrictEqual(
        yield* read("project_id, signed_by::text, coalesce(hold_purpose, 'none') as hold", "projects"),
        [`delivery_1 ["SUPPLIER", "BUYER"] DELIVERY`, "delivery_2 [] none"]
      )
      assert.deepStrictEqual(
        yield* read(
          "project_sides.created_at = projects.created_at as same, count(*)",
          "project_sides natural join (select project_id, created_at as x from projects) p join projects using (project_id) group by 1"
        ),
        ["true 3"]
      )
    })
  )
)
