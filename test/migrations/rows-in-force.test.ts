/** The end of a membership, as migration 20 fills it for memberships of the previous version. */
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { rowsInForce } from "../../src/migrations/0020_rows_in_force.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, never, now } from "../../src/vocabulary/instant.ts"
import { migratedDatabase } from "../support/postgres.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

it.live("Migration 20 fills the end of a membership as the program writes it, and ends where none is left.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const { organizationId } = yield* signInNewPerson("Dana")
        for (const validUntil of [addMilliseconds(yield* now, 60_000), never]) {
          const { personId } = yield* signInNewPerson("Kim")
          yield* createMembership({ personId, organizationId, authorities: [], validUntil })
        }
        const { membershipId } = yield* signInNewPerson("Sam")
        yield* endMembership("OPERATOR", { membershipId })
      }).pipe(Effect.provide(testService(postgresStorage(connection))))
      const session = yield* PgConnection.make(connection)
      const read = session.queryValues("select membership_id, effective_until from memberships order by membership_id")
      const written = yield* read
      assert.lengthOf(written, 6)
      yield* session.query("update memberships set effective_until = default")
      const [step] = rowsInForce.flatMap((one) => (one.kind === "batches" ? [one.change] : []))
      const changed = yield* Effect.forEach([1, 2], () => session.queryValues(`${step} returning membership_id`))
      assert.deepStrictEqual(
        changed.map(({ length }) => length),
        [5, 0]
      )
      assert.deepStrictEqual(yield* read, written)
    })
  )
)
