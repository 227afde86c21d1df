/** Forms of acts that are sent again because their answer was lost, after the project has gone on. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { submit } from "../support/page-forms.ts"
import { accepted, delivered, locked, type Pair } from "../support/person-commands.ts"
import { eventsOf, filled, joinedBy, mustAct, openAct, projectPage, wordsOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") } satisfies Pair
})

layer(freshTestService, { excludeTestServices: true })("an act that is sent again", (it) => {
  it.effect("is answered as done, although the files that were ticked are delivered no more", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* delivered(both)
      const form = yield* openAct(buyer, projectId, "review")
      const values = { ...filled.changes, checked: "1-1" }
      assert.strictEqual((yield* submit(buyer, form, values)).status, 303)
      yield* mustAct(supplier, projectId, "submit", { ...filled.submit, files1: "" })
      const events = yield* eventsOf(buyer, projectId)
      const again = yield* submit(buyer, form, values)
      assert.deepStrictEqual([again.status, again.headers["location"]], [303, projectPage(projectId)])
      const other = yield* submit(buyer, form, { ...values, checked: [], reason: "Something else." })
      assert.strictEqual(other.status, 409)
      assert.include(wordsOn(other), "This request id was used for another request.")
      assert.include(wordsOn(other), "Something else.")
      assert.strictEqual(yield* eventsOf(buyer, projectId), events)
    })
  )

  it.effect("is answered as done, although the person named has left", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { supplier } = both
      const projectId = yield* locked(both)
      const kim = yield* signInAnew("Kim")
      const { membershipId } = yield* joinedBy(kim, supplier.organizationId)
      const form = yield* openAct(supplier, projectId, "change-representative")
      const values = { reason: "Holidays.", supplierActorId: kim.personId }
      assert.strictEqual((yield* submit(supplier, form, values)).status, 303)
      yield* endMembership("OPERATOR", { membershipId })
      assert.strictEqual((yield* submit(supplier, form, values)).status, 303)
    })
  )

  it.effect("is answered as done, although the other side has raised a concern of its own since", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* accepted(both)
      yield* mustAct(supplier, projectId, "concern", filled.concern)
      const form = yield* openAct(supplier, projectId, "dismiss-concern")
      assert.strictEqual((yield* submit(supplier, form, filled.reasoned)).status, 303)
      yield* mustAct(buyer, projectId, "concern", filled.concern)
      assert.strictEqual((yield* submit(supplier, form, filled.reasoned)).status, 303)
      const fresh = yield* submit(supplier, form, { reason: "Another reason." })
      assert.strictEqual(fresh.status, 403)
      assert.include(wordsOn(fresh), "Another reason.")
      assert.include(fresh.text, `href="${projectPage(projectId)}"`)
    })
  )
})
