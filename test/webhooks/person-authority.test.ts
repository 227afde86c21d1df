/** Webhooks of people are sent under the person's current authority only. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { storedOf, subscriptionTo, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  acceptTerms,
  historyOf,
  joinNewOrganization,
  pairWithTerms,
  runWorkerPassTo,
  postOwnWebhooks,
  readOwnWebhooks,
  subscribeAsPerson
} from "../support/person-webhooks.ts"
import {
  commandAsPerson,
  createAgreementAsPerson,
  dateRevisionOf,
  personCommandBody,
  readProjectAsPerson
} from "../support/person-commands.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const day = 86_400_000

layer(memoryTestService, { excludeTestServices: true })("the authority of a person", (it) => {
  it.effect("The end of a membership cancels pending webhooks, and nothing is sent.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const lee = yield* signInNewPerson("Lee")
      const { organizationId } = buyer
      const validUntil = addMilliseconds(yield* now, day)
      const { membershipId } = yield* createMembership({
        personId: lee.personId,
        organizationId,
        authorities: [],
        validUntil
      })
      const { id } = yield* subscribeAsPerson(lee, [projectId])
      yield* acceptTerms(supplier, projectId)
      yield* endMembership(buyer, { membershipId })
      const [before] = createdBody(yield* readOwnWebhooks(lee)).subscriptions
      assert.strictEqual(before.state, "REVOKED")
      assert.deepStrictEqual(outcome(yield* postOwnWebhooks(lee, `/${id}/rotate-secret`)), [409, "STATE_CONFLICT"])
      const receiver = new TestReceiver()
      yield* runWorkerPassTo(receiver)
      assert.deepStrictEqual(receiver.opened, [])
      const { deliveries } = yield* storedOf(id)
      assert.deepStrictEqual(
        deliveries.map(({ totalAttempts }) => totalAttempts),
        [0]
      )
      // A person whose membership ended reads no more than an unrelated person.
      assert.deepStrictEqual(outcome(yield* readOwnWebhooks(lee, `/${id}/deliveries`)), [403, "FORBIDDEN"])
      for (const verb of ["pause", "resume", "rotate-secret"]) {
        assert.deepStrictEqual(outcome(yield* postOwnWebhooks(lee, `/${id}/${verb}`)), [409, "STATE_CONFLICT"], verb)
      }
      const again = yield* postOwnWebhooks(lee, `/${id}/deliveries/${deliveries[0]!.deliveryId}/redeliver`)
      assert.deepStrictEqual(outcome(again), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* postOwnWebhooks(lee, "", yield* subscriptionTo(projectId))), [
        403,
        "FORBIDDEN"
      ])
    })
  )

  it.effect("A membership that ends once the connection is open prevents the send.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const lee = yield* signInNewPerson("Lee")
      const { organizationId } = buyer
      const { personId } = lee
      const validUntil = addMilliseconds(yield* now, day)
      const { membershipId } = yield* createMembership({ personId, organizationId, authorities: [], validUntil })
      const { id } = yield* subscribeAsPerson(lee, [projectId])
      yield* acceptTerms(supplier, projectId)
      const services = yield* Effect.context<any>()
      const receiver = new TestReceiver()
      receiver.onOpen = endMembership(buyer, { membershipId }).pipe(
        Effect.orDie,
        Effect.provideContext(services),
        Effect.asVoid
      )
      yield* runWorkerPassTo(receiver)
      assert.lengthOf(receiver.opened, 1)
      assert.deepStrictEqual(receiver.received, [])
      const [delivery] = (yield* storedOf(id)).deliveries
      assert.deepInclude(delivery, { state: "CANCELLED", totalAttempts: 0 })
      assert.strictEqual(delivery?.lastAttempt?.outcome, "AUTHORITY_ENDED")
    })
  )

  it.effect("The loss of one project cancels webhooks of that project only.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const kept = yield* createAgreementAsPerson(buyer, supplier)
      const another = yield* joinNewOrganization(supplier)
      const { organizationId } = supplier
      const { id } = yield* subscribeAsPerson(supplier, [projectId, kept], { organizationId })
      // Another organization took over the side: the subscription's organization is no longer a party.
      yield* acceptTerms(supplier, projectId, { organizationId: another.organizationId })
      yield* acceptTerms(supplier, kept, { organizationId })
      const receiver = new TestReceiver()
      yield* runWorkerPassTo(receiver)
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
      assert.strictEqual(createdBody(yield* readOwnWebhooks(supplier)).subscriptions[0].state, "ACTIVE")
      // After pause and resume it listens to the remaining project.
      // No event of the lost project is queued.
      for (const one of [projectId, kept]) {
        createdBody(
          yield* commandAsPerson(
            buyer,
            one,
            "date-revision",
            dateRevisionOf(yield* readProjectAsPerson(buyer, one), "DELIVERY")
          )
        )
      }
      assert.strictEqual(yield* runWorkerPassTo(receiver), 1)
      yield* postOwnWebhooks(supplier, `/${id}/pause`)
      assert.strictEqual(createdBody(yield* postOwnWebhooks(supplier, `/${id}/resume`)).subscription.state, "ACTIVE")
      for (const one of [projectId, kept]) {
        createdBody(
          yield* commandAsPerson(
            supplier,
            one,
            "lift-hold",
            personCommandBody(yield* readProjectAsPerson(supplier, one), { reason: "Go on." })
          )
        )
      }
      assert.strictEqual(yield* runWorkerPassTo(receiver), 1)
      const all = yield* historyOf(supplier, id)
      assert.deepStrictEqual(
        all.slice(2).map(({ event, state }) => [event.projectId, state]),
        [
          [kept, "DELIVERED"],
          [kept, "DELIVERED"]
        ]
      )
      const again = yield* postOwnWebhooks(supplier, `/${id}/deliveries/${all[0].deliveryId}/redeliver`)
      assert.deepStrictEqual(outcome(again), [403, "FORBIDDEN"])
    })
  )
})
