/** What the list of projects is searched by, as SQL fills it for projects of the previous version. */
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { pagedLists } from "../../src/migrations/0019_paged_lists.ts"
import { creationInput, confirmAgreement, makeAgent, makeParty, uuid } from "../support/parties.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { migratedDatabase } from "../support/postgres.ts"
import { postgresStorage, send, testService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

/** Letters of several scripts, what JSON escapes, and a title that looks like the end of an agreement. */
const titles = [
  "Sea Chart",
  "ÜBERSICHT Straße ÉTÉ Żółć",
  "ΟΔΟΣ Чертёж",
  "Ｆｕｌｌ ﬁg",
  'A "quoted" \\ back\\\\slash',
  '"},"version":1}',
  "Soft\u00adhyphen",
  "  Two  blanks "
]

it.live("Migration 19 fills the search text as the program writes it, whatever characters the terms have.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* migratedDatabase
      yield* Effect.forEach(titles, (title) =>
        Effect.gen(function* () {
          const buyer = yield* makeParty("Dana")
          const supplier = yield* signInNewPerson("Sam")
          const { token } = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
          const input = creationInput(supplier, yield* confirmAgreement, yield* now)
          const body = { ...input, title, buyerName: `Buyer ${title}`, requestId: uuid() }
          const { status, text } = yield* send("POST", "/api/agents/v1/projects", { token, body })
          assert.strictEqual(status, 201, text)
        })
      ).pipe(Effect.provide(testService(postgresStorage(connection))))
      const session = yield* PgConnection.make(connection)
      const read = session.queryValues("select project_id, search_text from projects order by project_id")
      const written = yield* read
      assert.lengthOf(written, titles.length)
      yield* session.query("update projects set search_text = null")
      for (const step of pagedLists) if (step.kind === "batches") yield* session.query(step.change)
      assert.deepStrictEqual(yield* read, written)
    })
  )
)
