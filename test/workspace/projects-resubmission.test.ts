/** Command forms that are sent again after a lost response and later events. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { submit } from "../support/page-forms.ts"
import { runToAccepted, runToDelivered, runToLocked, type Pair } from "../support/person-commands.ts"
import {
  eventsOf,
  pageInputs,
  addMember,
  actSuccessfully,
  openAct,
  projectPage,
  textOn
} from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

layer(freshTestService, { excludeTestServices: true })("resubmitted commands", (it) => {
  it.effect("A resubmitted review is answered as done, although the delivery no longer has the ticked files.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToDelivered(both)
      const form = yield* openAct(buyer, projectId, "review")
      const values = { ...pageInputs.changes, checked: "1-1" }
      assert.strictEqual((yield* submit(buyer, form, values)).status, 303)
      yield* actSuccessfully(supplier, projectId, "submit", { ...pageInputs.submit, files1: "" })
      const events = yield* eventsOf(buyer, projectId)
      const again = yield* submit(buyer, form, values)
      assert.deepStrictEqual([again.status, again.headers["location"]], [303, projectPage(projectId)])
      const other = yield* submit(buyer, form, { ...values, checked: [], reason: "Something else." })
      assert.strictEqual(other.status, 409)
      assert.include(textOn(other), "The requestId was used for another request; use a new one.")
      assert.include(textOn(other), "Something else.")
      assert.strictEqual(yield* eventsOf(buyer, projectId), events)
    })
  )

  it.effect("A resubmitted change of the representative is answered as done, although the named person has left.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { supplier } = both
      const projectId = yield* runToLocked(both)
      const kim = yield* signInNewPerson("Kim")
      const { membershipId } = yield* addMember(kim, supplier.organizationId)
      const form = yield* openAct(supplier, projectId, "change-representative")
      const values = { reason: "Holidays.", supplierActorId: kim.personId }
      assert.strictEqual((yield* submit(supplier, form, values)).status, 303)
      yield* endMembership("OPERATOR", { membershipId })
      assert.strictEqual((yield* submit(supplier, form, values)).status, 303)
    })
  )

  it.effect("A resubmitted dismissal is answered as done, although the other party has raised a concern since.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToAccepted(both)
      yield* actSuccessfully(supplier, projectId, "concern", pageInputs.concern)
      const form = yield* openAct(supplier, projectId, "dismiss-concern")
      assert.strictEqual((yield* submit(supplier, form, pageInputs.reasoned)).status, 303)
      yield* actSuccessfully(buyer, projectId, "concern", pageInputs.concern)
      assert.strictEqual((yield* submit(supplier, form, pageInputs.reasoned)).status, 303)
      const fresh = yield* submit(supplier, form, { reason: "Another reason." })
      assert.strictEqual(fresh.status, 403)
      assert.include(textOn(fresh), "Another reason.")
      assert.include(fresh.text, `href="${projectPage(projectId)}"`)
    })
  )
})
