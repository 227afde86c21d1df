import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../support/postgres.ts"
import { smallest } from "./extent.ts"
import { measureFairness } from "./fairness.ts"

it.live("The bench measures commands and pauses beside a busy client, of commands and of reads.", () =>
  Effect.gen(function* () {
    const sizes = { inFlight: 12, busyProjects: 2, quietProjects: 2 }
    const [section] = yield* measureFairness(yield* migratedDatabase, smallest, sizes)
    const { figures, notes } = section!
    assert.lengthOf(figures, 4)
    for (const { ratio } of figures) assert.isAbove(ratio, 0)
    // Each round, beside commands and beside reads, has answers of the busy client.
    for (const note of notes!) assert.match(note, /"(?:200|409)":\d/)
  }).pipe(Effect.scoped)
)
