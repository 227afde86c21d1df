/** A public specification that a person carries into a draft: once, while it lasts, exactly as it was read. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createDraftFromHandoff } from "../../src/drafts/handoff.ts"
import { endSession } from "../../src/people/sessions.ts"
import { finishingUrl, handoffOf, lasting, published, readDraft } from "../support/drafts.ts"
import { join } from "../support/issued.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { sha } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { specificationOf } from "../support/specifications.ts"

const codeOf = <A, R>(effect: Effect.Effect<A, { readonly code: string }, R>) =>
  Effect.map(Effect.flip(effect), ({ code }) => code)

layer(freshTestService, { excludeTestServices: true })("a specification handed over", (it) => {
  it.effect("becomes a draft with its words and its pin, on the side that was chosen", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const specification = yield* published
      const { title, scope, criteria } = specificationOf(specification.id)
      for (const role of ["BUYER", "SUPPLIER"] as const) {
        const choice = { organizationId: dana.organizationId, role }
        const { draftId, humanUrl } = yield* createDraftFromHandoff(dana, yield* handoffOf(specification), choice)
        assert.strictEqual(humanUrl, finishingUrl(role, draftId))
        const draft = yield* readDraft(dana, draftId)
        assert.deepStrictEqual(draft.content, { title, scope, criteria, specification })
        assert.deepInclude(draft, { role, organizationId: dana.organizationId, state: "DRAFT", revision: 1 })
      }
    })
  )

  it.effect("is used once: the same choice of the same person finds its draft, and nothing else anything", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const lee = yield* join(dana, "Lee")
      const handoff = yield* handoffOf(yield* published)
      const choice = { organizationId: dana.organizationId, role: "BUYER" } as const
      const [first, second] = yield* Effect.all(
        [createDraftFromHandoff(dana, handoff, choice), createDraftFromHandoff(dana, handoff, choice)],
        { concurrency: 2 }
      )
      assert.deepStrictEqual(second, first)
      for (const [by, other] of [
        [lee, choice],
        [dana, { ...choice, role: "SUPPLIER" as const }]
      ] as const) {
        assert.strictEqual(yield* codeOf(createDraftFromHandoff(by, handoff, other)), "HANDOFF_ENDED")
      }
      const another = { ...handoff, specification: yield* published }
      assert.strictEqual(yield* codeOf(createDraftFromHandoff(dana, another, choice)), "HANDOFF_ENDED")
    })
  )

  it.effect("is one person's, also where two take it at once", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const lee = yield* join(dana, "Lee")
      const handoff = yield* handoffOf(yield* published)
      const choice = { organizationId: dana.organizationId, role: "BUYER" } as const
      const took = yield* Effect.all(
        [dana, lee].map((by) =>
          createDraftFromHandoff(by, handoff, choice).pipe(
            Effect.as("took"),
            Effect.catch(({ code }) => Effect.succeed(code))
          )
        ),
        { concurrency: 2 }
      )
      assert.sameMembers(took, ["took", "HANDOFF_ENDED"])
    })
  )

  it.effect("is refused where it does not name what was published, and where the person may not", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const sam = yield* signInAnew("Sam")
      const reader = yield* join(dana, "Rita", ["DELIVERY_REVIEW"])
      const specification = yield* published
      const handoff = yield* handoffOf(specification)
      const choice = { organizationId: dana.organizationId, role: "BUYER" } as const
      const refused = [
        [dana, { ...specification, digest: sha }, "SPECIFICATION_DIGEST_MISMATCH"],
        [dana, { ...specification, version: 2 }, "UNKNOWN_SPECIFICATION"],
        [sam, specification, "FORBIDDEN"],
        [reader, specification, "FORBIDDEN"]
      ] as const
      for (const [by, named, code] of refused) {
        const given = { ...handoff, specification: named }
        assert.strictEqual(yield* codeOf(createDraftFromHandoff(by, given, choice)), code)
      }
      yield* endSession(dana)
      assert.strictEqual(yield* codeOf(createDraftFromHandoff(dana, handoff, choice)), "SIGN_IN_REQUIRED")
    })
  )
})

layer(memoryTestService)("the end of a handover", (it) => {
  it.effect("is its own first dead moment, for whoever took it before too", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-21T12:00:00.000Z"))
      const dana = yield* signInAnew("Dana")
      const [used, unused] = [yield* handoffOf(yield* published), yield* handoffOf(yield* published)]
      const choice = { organizationId: dana.organizationId, role: "BUYER" } as const
      yield* TestClock.adjust(lasting - 1)
      const first = yield* createDraftFromHandoff(dana, used, choice)
      assert.deepStrictEqual(yield* createDraftFromHandoff(dana, used, choice), first)
      yield* TestClock.adjust(1)
      for (const handoff of [used, unused]) {
        assert.strictEqual(yield* codeOf(createDraftFromHandoff(dana, handoff, choice)), "HANDOFF_ENDED")
      }
    })
  )
})
