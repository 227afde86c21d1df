/** Payments with two servers as separate processes, of which one is killed in each round. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SeededRandom } from "../../simulator/kernel/seeded-random.ts"
import { installationOn } from "../support/installation.ts"
import { freshService } from "../support/service.ts"
import { killDuringPayments } from "./payment-kills.ts"

describe("kills during payments", () => {
  it.live(
    "A server that is killed while it opens and captures leaves one checkout an attempt, and no entry lost or doubled.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const installation = yield* installationOn(yield* freshService)
          const seeded = new SeededRandom(24)
          const random = () => seeded.below(1_000_000) / 1_000_000
          const { wrong } = yield* killDuringPayments({ installation, rounds: 3, random })
          assert.deepStrictEqual(wrong, [])
        })
      ),
    120_000
  )
})
