/** A hand-off of a public specification to a draft: single use, expiring, pinned to the version. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createDraftFromHandoff } from "../../src/drafts/handoff.ts"
import { endSession } from "../../src/people/sessions.ts"
import { finishingUrl, handoffOf, handoffLifetime, publishNewSpecification, readDraft } from "../support/drafts.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { sha } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { specificationOf } from "../support/specifications.ts"

const codeOf = <A, R>(effect: Effect.Effect<A, { readonly code: string }, R>) =>
  Effect.map(Effect.flip(effect), ({ code }) => code)

layer(freshTestService, { excludeTestServices: true })("the hand-off of a specification", (it) => {
  it.effect("A hand-off creates a draft with the specification's content and pin, for the chosen side.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const specification = yield* publishNewSpecification
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

  it.effect("A hand-off is idempotent for the same person and choice, and refused for any other.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const lee = yield* joinOrganization(dana, "Lee")
      const handoff = yield* handoffOf(yield* publishNewSpecification)
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
      const another = { ...handoff, specification: yield* publishNewSpecification }
      assert.strictEqual(yield* codeOf(createDraftFromHandoff(dana, another, choice)), "HANDOFF_ENDED")
    })
  )

  it.effect("Of two persons who use a hand-off concurrently, one gets the draft.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const lee = yield* joinOrganization(dana, "Lee")
      const handoff = yield* handoffOf(yield* publishNewSpecification)
      const choice = { organizationId: dana.organizationId, role: "BUYER" } as const
      const results = yield* Effect.all(
        [dana, lee].map((by) =>
          createDraftFromHandoff(by, handoff, choice).pipe(
            Effect.as("created"),
            Effect.catch(({ code }) => Effect.succeed(code))
          )
        ),
        { concurrency: 2 }
      )
      assert.sameMembers(results, ["created", "HANDOFF_ENDED"])
    })
  )

  it.effect("A hand-off is refused for an unknown or changed specification, and without the authority.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const reader = yield* joinOrganization(dana, "Rita", ["DELIVERY_REVIEW"])
      const specification = yield* publishNewSpecification
      const handoff = yield* handoffOf(specification)
      const choice = { organizationId: dana.organizationId, role: "BUYER" } as const
      const refused = [
        [dana, { ...specification, digest: sha }, "SPECIFICATION_DIGEST_MISMATCH"],
        [dana, { ...specification, version: 2 }, "UNKNOWN_SPECIFICATION"],
        [sam, specification, "FORBIDDEN"],
        [reader, specification, "FORBIDDEN"]
      ] as const
      for (const [by, named, code] of refused) {
        const changedHandoff = { ...handoff, specification: named }
        assert.strictEqual(yield* codeOf(createDraftFromHandoff(by, changedHandoff, choice)), code)
      }
      yield* endSession(dana)
      assert.strictEqual(yield* codeOf(createDraftFromHandoff(dana, handoff, choice)), "SIGN_IN_REQUIRED")
    })
  )
})

layer(memoryTestService)("the expiry of a hand-off", (it) => {
  it.effect("Expiry of a hand-off is exclusive: it is refused at exactly `endsAt`, also on retry.", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-21T12:00:00.000Z"))
      const dana = yield* signInNewPerson("Dana")
      const [used, unused] = [
        yield* handoffOf(yield* publishNewSpecification),
        yield* handoffOf(yield* publishNewSpecification)
      ]
      const choice = { organizationId: dana.organizationId, role: "BUYER" } as const
      yield* TestClock.adjust(handoffLifetime - 1)
      const first = yield* createDraftFromHandoff(dana, used, choice)
      assert.deepStrictEqual(yield* createDraftFromHandoff(dana, used, choice), first)
      yield* TestClock.adjust(1)
      for (const handoff of [used, unused]) {
        assert.strictEqual(yield* codeOf(createDraftFromHandoff(dana, handoff, choice)), "HANDOFF_ENDED")
      }
    })
  )
})
