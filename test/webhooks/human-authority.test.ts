/** A person's callbacks go out under what the person may see at that moment, and under nothing else. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { storedOf, subscriptionTo, TestReceiver } from "../support/callbacks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  acceptTerms,
  historyOf,
  joinAnother,
  pairWithTerms,
  passTo,
  postOwn,
  readOwn,
  subscribedAs
} from "../support/own-callbacks.ts"
import { act, agreeing, dateRevisionOf, decided, see } from "../support/person-commands.ts"
import { signInAnew } from "../support/sessions.ts"
import { made, outcome } from "../support/workspace.ts"

const day = 86_400_000

layer(memoryTestService, { excludeTestServices: true })("a person's authority", (it) => {
  it.effect("ends every callback with the membership: what was pending is cancelled, and nothing is sent", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const lee = yield* signInAnew("Lee")
      const { organizationId } = buyer
      const validUntil = addMilliseconds(yield* now, day)
      const { membershipId } = yield* createMembership({
        personId: lee.personId,
        organizationId,
        authorities: [],
        validUntil
      })
      const { id } = yield* subscribedAs(lee, [projectId])
      yield* acceptTerms(supplier, projectId)
      yield* endMembership(buyer, { membershipId })
      const [before] = made(yield* readOwn(lee)).subscriptions
      assert.strictEqual(before.state, "REVOKED")
      assert.deepStrictEqual(outcome(yield* postOwn(lee, `/${id}/rotate-secret`)), [409, "STATE_CONFLICT"])
      const receiver = new TestReceiver()
      yield* passTo(receiver)
      assert.deepStrictEqual(receiver.opened, [])
      const { deliveries } = yield* storedOf(id)
      assert.deepStrictEqual(
        deliveries.map(({ totalAttempts }) => totalAttempts),
        [0]
      )
      // Whoever has left reads no more of what happens there than a stranger does.
      assert.deepStrictEqual(outcome(yield* readOwn(lee, `/${id}/deliveries`)), [403, "FORBIDDEN"])
      for (const verb of ["pause", "resume", "rotate-secret"]) {
        assert.deepStrictEqual(outcome(yield* postOwn(lee, `/${id}/${verb}`)), [409, "STATE_CONFLICT"], verb)
      }
      const again = yield* postOwn(lee, `/${id}/deliveries/${deliveries[0]!.deliveryId}/redeliver`)
      assert.deepStrictEqual(outcome(again), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* postOwn(lee, "", yield* subscriptionTo(projectId))), [403, "FORBIDDEN"])
    })
  )

  it.effect("that ends once the connection is open sends nothing", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const lee = yield* signInAnew("Lee")
      const { organizationId } = buyer
      const { personId } = lee
      const validUntil = addMilliseconds(yield* now, day)
      const { membershipId } = yield* createMembership({ personId, organizationId, authorities: [], validUntil })
      const { id } = yield* subscribedAs(lee, [projectId])
      yield* acceptTerms(supplier, projectId)
      const services = yield* Effect.context<any>()
      const receiver = new TestReceiver()
      receiver.onOpen = endMembership(buyer, { membershipId }).pipe(
        Effect.orDie,
        Effect.provideContext(services),
        Effect.asVoid
      )
      yield* passTo(receiver)
      assert.lengthOf(receiver.opened, 1)
      assert.deepStrictEqual(receiver.received, [])
      const [delivery] = (yield* storedOf(id)).deliveries
      assert.deepInclude(delivery, { state: "CANCELLED", totalAttempts: 0 })
      assert.strictEqual(delivery?.lastAttempt?.outcome, "AUTHORITY_ENDED")
    })
  )

  it.effect("on one project cancels that project's callbacks and no others", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const kept = yield* agreeing(buyer, supplier)
      const another = yield* joinAnother(supplier)
      const { organizationId } = supplier
      const { id } = yield* subscribedAs(supplier, [projectId, kept], { organizationId })
      // For the other organization: the one that subscribed stands on this project no more.
      yield* acceptTerms(supplier, projectId, { organizationId: another.organizationId })
      yield* acceptTerms(supplier, kept, { organizationId })
      const receiver = new TestReceiver()
      yield* passTo(receiver)
      assert.deepStrictEqual(
        receiver.received.map(({ body }) => JSON.parse(body).projectId),
        [kept]
      )
      const history = yield* historyOf(supplier, id)
      assert.deepStrictEqual(
        history.map(({ event, state }) => [event.projectId, state]),
        [
          [projectId, "CANCELLED"],
          [kept, "DELIVERED"]
        ]
      )
      assert.strictEqual(made(yield* readOwn(supplier)).subscriptions[0].state, "ACTIVE")
      // Paused and resumed it goes on listening where it still may.
      // Nothing more of the lost one is even queued.
      for (const one of [projectId, kept]) {
        made(yield* act(buyer, one, "date-revision", dateRevisionOf(yield* see(buyer, one), "DELIVERY")))
      }
      assert.strictEqual(yield* passTo(receiver), 1)
      yield* postOwn(supplier, `/${id}/pause`)
      assert.strictEqual(made(yield* postOwn(supplier, `/${id}/resume`)).subscription.state, "ACTIVE")
      for (const one of [projectId, kept]) {
        made(yield* act(supplier, one, "lift-hold", decided(yield* see(supplier, one), { reason: "Go on." })))
      }
      assert.strictEqual(yield* passTo(receiver), 1)
      const all = yield* historyOf(supplier, id)
      assert.deepStrictEqual(
        all.slice(2).map(({ event, state }) => [event.projectId, state]),
        [
          [kept, "DELIVERED"],
          [kept, "DELIVERED"]
        ]
      )
      const again = yield* postOwn(supplier, `/${id}/deliveries/${all[0].deliveryId}/redeliver`)
      assert.deepStrictEqual(outcome(again), [403, "FORBIDDEN"])
    })
  )
})
