/** Any interleaving of author and recipient ends in a named state with one agreement at most, on both stores. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { confirmAgreement } from "../support/parties.ts"
import { flawsInStore } from "../support/proposal-chains.ts"
import { moves, states, table } from "../support/proposal-table.ts"
import { anyWalk, take, type Met } from "../support/proposal-walk.ts"
import { freshTestService } from "../support/service.ts"

const walkMany = (runs: number, seed: number, met: Met) =>
  Effect.gen(function* () {
    const digest = yield* confirmAgreement
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof take>>>()
    const property = fc.asyncProperty(anyWalk, async (steps) => {
      const wrong = await Effect.runPromiseWith(context)(take(steps, met, digest))
      assert.deepStrictEqual(wrong, [])
    })
    yield* Effect.promise(() => fc.assert(property, { numRuns: runs, seed, endOnFailure: false }))
    assert.deepStrictEqual(yield* flawsInStore, [])
  })

const unreached = (met: Met) =>
  states.flatMap((state) =>
    moves.flatMap((move) => {
      const code = table[state][move] === "no" ? "STATE_CONFLICT" : "DONE"
      return met.has(`${state} ${move} ${code}`) ? [] : [`${state} ${move} ${code}`]
    })
  )

const refusalsMet = (met: Met) => new Set([...met.keys()].map((what) => what.split(" ").at(-1)))

describe("any interleaving of author and recipient", () => {
  layer(memoryTestService, { excludeTestServices: true })("in the simulator's memory", (it) => {
    it.effect(
      "goes as the table says, and reaches every pair of it",
      () =>
        Effect.gen(function* () {
          const met: Met = new Map()
          yield* walkMany(110, 5, met)
          console.log(
            [...met]
              .toSorted()
              .map(([what, times]) => `${what}: ${times}`)
              .join("\n")
          )
          assert.deepStrictEqual(unreached(met), [])
          for (const state of proposalStates) assert.isTrue(met.has(`repeated in ${state}`), state)
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
            assert.isTrue(refusalsMet(met).has(code), code)
          }
          for (const beside of ["PAUSE DONE", "RESUME DONE", "HANDOFF DONE"]) assert.isTrue(met.has(beside), beside)
        }),
      120_000
    )
  })

  layer(freshTestService, { excludeTestServices: true })("over Postgres", (it) => {
    it.effect("goes as the table says", () => walkMany(8, 5, new Map()))
  })
})
