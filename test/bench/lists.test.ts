import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../support/postgres.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { smallest } from "./extent.ts"
import { measureLists } from "./lists.ts"

it.live(
  "The bench measures the list of projects, as it is, filtered and searched, for few and for many projects.",
  () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      const [section] = yield* measureLists(database, smallest, { few: 3, many: 30 }).pipe(
        Effect.provide(testService(postgresStorage(database)))
      )
      assert.lengthOf(section!.figures, 3)
      for (const { ratio } of section!.figures) assert.isAbove(ratio, 0)
    }).pipe(Effect.scoped)
)
