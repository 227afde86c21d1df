/** Random command sequences of author and recipient match the model, on both stores. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { confirmAgreement } from "../support/parties.ts"
import { flawsInStore } from "../support/proposal-integrity.ts"
import { moves, states, table } from "../support/proposal-table.ts"
import { anyWalk, runWalk, type WalkCoverage } from "../support/proposal-walk.ts"
import { freshTestService } from "../support/service.ts"

const walkMany = (runs: number, seed: number, outcomes: WalkCoverage) =>
  Effect.gen(function* () {
    const digest = yield* confirmAgreement
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof runWalk>>>()
    const property = fc.asyncProperty(anyWalk, async (steps) => {
      const wrong = await Effect.runPromiseWith(context)(runWalk(steps, outcomes, digest))
      assert.deepStrictEqual(wrong, [])
    })
    yield* Effect.promise(() => fc.assert(property, { numRuns: runs, seed, endOnFailure: false }))
    assert.deepStrictEqual(yield* flawsInStore, [])
  })

const unreached = (outcomes: WalkCoverage) =>
  states.flatMap((state) =>
    moves.flatMap((move) => {
      const code = table[state][move] === "no" ? "STATE_CONFLICT" : "DONE"
      return outcomes.has(`${state} ${move} ${code}`) ? [] : [`${state} ${move} ${code}`]
    })
  )

const refusalsIn = (outcomes: WalkCoverage) => new Set([...outcomes.keys()].map((outcome) => outcome.split(" ").at(-1)))

describe("random command sequences of author and recipient", () => {
  layer(memoryTestService, { excludeTestServices: true })("in the memory store", (it) => {
    it.effect(
      "In the memory store, random command sequences match the proposal model and cover each of its entries.",
      () =>
        Effect.gen(function* () {
          const outcomes: WalkCoverage = new Map()
          yield* walkMany(110, 5, outcomes)
          console.log(
            [...outcomes]
              .toSorted()
              .map(([outcome, times]) => `${outcome}: ${times}`)
              .join("\n")
          )
          assert.deepStrictEqual(unreached(outcomes), [])
          for (const state of proposalStates) assert.isTrue(outcomes.has(`repeated in ${state}`), state)
          for (const code of [
            "FORBIDDEN",
            "FORBIDDEN_AGENT_ACTION",
            "REQUEST_ID_CONFLICT",
            "AGENT_PAUSED",
            "AGENT_CHANGED_REFRESH_REQUIRED",
            "STALE_PROPOSAL_HEAD",
            "PROPOSAL_VERSION_STALE",
            "PROPOSAL_DIGEST_MISMATCH"
          ]) {
            assert.isTrue(refusalsIn(outcomes).has(code), code)
          }
          for (const control of ["PAUSE DONE", "RESUME DONE", "HANDOFF DONE"])
            assert.isTrue(outcomes.has(control), control)
        }),
      120_000
    )
  })

  layer(freshTestService, { excludeTestServices: true })("on Postgres", (it) => {
    it.effect("On Postgres, random command sequences match the proposal model.", () => walkMany(8, 5, new Map()))
  })
})
