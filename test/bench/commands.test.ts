import { assert, it, layer } from "@effect/vitest"
import { Console, Effect } from "effect"
import { migratedDatabase } from "../support/postgres.ts"
import { compareCommands } from "./commands/compare.ts"
import { smallest } from "./extent.ts"

it.live("The bench measures a few commands of every variant.", () =>
  Effect.gen(function* () {
    const { figures } = yield* compareCommands(yield* migratedDatabase, { extent: smallest, against: undefined })
    for (const { what, ratio } of figures) assert.isTrue(Number.isFinite(ratio) && ratio > 0, what)
    assert.strictEqual(figures.length, 13)
  }).pipe(Effect.scoped)
)
