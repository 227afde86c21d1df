/** Which events are queued for which subscriptions: every source of events, and every reason why none is queued. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { recordSubscriptionCount } from "../../src/projects/committed-events.ts"
import { readEvents } from "../../src/projects/history.ts"
import { acceptRepresentation, inviteRepresentative } from "../../src/projects/representative.ts"
import { issueDueRecords } from "../../src/records/issuance.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import type { EventType } from "../../src/vocabulary/event-types.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { formatDeliveryId } from "../../src/webhooks/opaque-ids.ts"
import { fanOut, fanOutDue } from "../../src/webhooks/fan-out.ts"
import { WebhookListeners } from "../../src/webhooks/store.ts"
import {
  changeWebhook,
  createWebhook,
  listenersOf,
  outboxOf,
  readDeliveries,
  storedOf,
  subscribeAsAgent,
  subscriptionTo
} from "../support/webhooks.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  buyerActions,
  sendCommand,
  makeAgent,
  readProject,
  respondTo,
  reviewOf,
  startProject,
  submissionFor,
  uuid
} from "../support/parties.ts"
import {
  confirmationCommandBody,
  commandAsPerson,
  createAgreementAsPerson,
  answerOf,
  concernOf,
  dateRevisionOf,
  personCommandBody,
  decisionOf,
  runToLocked,
  materialsOf,
  readProjectAsPerson,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { handoffOf, jobOn } from "../support/requests.ts"
import { send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const pairOf = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

/** A subscription of the buyer's agent to all event types of these projects. */
const watched = Effect.fnUntraced(function* (buyer: SignedInPerson, ...projectIds: ReadonlyArray<string>) {
  const { token } = yield* makeAgent(buyer, "BUYER", buyerActions, projectIds)
  const { subscription } = yield* subscribeAsAgent(token, projectIds)
  return subscription.id
})

/** The deliveries of a subscription as event kind and sequence, after numbering. */
const queuedFor = Effect.fnUntraced(function* (subscriptionId: string) {
  yield* fanOut([subscriptionId])
  const { deliveries } = yield* storedOf(subscriptionId)
  const storage = yield* Storage
  return yield* Effect.forEach(deliveries, ({ projectId, eventId, number }, index) =>
    Effect.gen(function* () {
      assert.strictEqual(number, index + 1)
      const events = yield* storage.view((reader) => readEvents(reader, projectId))
      const outbox = yield* outboxOf(projectId)
      const { sequence, type } = outbox.find((event) => event.eventId === eventId)!
      return `${events[sequence - 1]!.kind} ${type}`
    })
  )
})

const colleagueOf = Effect.fnUntraced(function* ({ organizationId }: SignedInPerson, name: string) {
  const person = yield* signInNewPerson(name)
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  const { personId } = person
  const { membershipId } = yield* createMembership({ personId, organizationId, authorities, validUntil })
  return { ...person, organizationId, membershipId }
})

layer(memoryTestService, { excludeTestServices: true })("an event is queued", (it) => {
  it.effect("An event is queued for every source: people, agents, and the worker that issues records.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pairOf
      const projectId = yield* makeUnnamedProject(buyer)
      const subscriptionId = yield* watched(buyer, projectId)
      const expected: Array<string> = []
      const isTold = Effect.fnUntraced(function* (told: string) {
        expected.push(told)
        assert.deepStrictEqual(yield* queuedFor(subscriptionId), expected)
      })
      const as = Effect.fnUntraced(function* (by: SignedInPerson, operation: string, body: (view: any) => object) {
        createdBody(yield* commandAsPerson(by, projectId, operation, body(yield* readProjectAsPerson(by, projectId))))
      })

      const invitation = yield* inviteRepresentative(buyer, yield* nonIdempotentRequest(buyer.personId), { projectId })
      const code = "code" in invitation ? invitation.code : assert.fail("the invitation shows its code")
      const { organizationId } = supplier
      yield* acceptRepresentation(supplier, yield* nonIdempotentRequest(supplier.personId), { code, organizationId })
      yield* isTold("INVITATION_ACCEPTED record.changed")
      yield* as(supplier, "respond", (view) => answerOf(view, supplier))
      yield* isTold("RESPOND agreement.confirmed")
      yield* as(buyer, "date-revision", (view) => dateRevisionOf(view, "DELIVERY"))
      yield* isTold("DATE_REVISION record.changed")
      yield* as(supplier, "lift-hold", (view) => personCommandBody(view, { reason: "No." }))
      yield* isTold("LIFT_HOLD record.changed")
      const mia = yield* colleagueOf(supplier, "Mia")
      yield* as(supplier, "change-representative", (view) =>
        personCommandBody(view, { supplierActorId: mia.personId, reason: "Mia takes over." })
      )
      yield* isTold("CHANGE_REPRESENTATIVE record.changed")
      yield* as(mia, "submit", materialsOf)
      yield* isTold("SUBMIT delivery.submitted")
      yield* as(buyer, "review", (view) => decisionOf(view, "REQUEST_CHANGES"))
      yield* isTold("REVIEW changes.requested")

      // From a saved job of an agent.
      const { token } = yield* makeAgent(mia, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const job = createdBody(
        yield* send("POST", "/api/agents/v1/jobs", { token, body: jobOn(yield* readProject(token, projectId)) })
      )
      assert.lengthOf(yield* queuedFor(subscriptionId), expected.length)
      createdBody(yield* send("POST", `/api/agents/v1/jobs/${job.jobId}/submit`, { token, body: { confirmed: true } }))
      yield* isTold("SUBMIT delivery.submitted")

      // Without a credit, the acceptance is an event, but the issuance request is none.
      const reviewer = yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])
      const acceptance = reviewOf(yield* readProject(reviewer.token, projectId), "ACCEPT")
      createdBody(yield* sendCommand(reviewer.token, projectId, "review", acceptance))
      yield* isTold("REVIEW acceptance.decided")
      yield* grantCredits({ organizationId: buyer.organizationId, credits: 1, reference: "test" })
      const due = addMilliseconds(yield* now, limits.issuanceInterval + 1_000)
      yield* issueDueRecords().pipe(at(due))
      yield* isTold("ISSUE record.changed")
      yield* as(mia, "concern", concernOf)
      yield* isTold("CONCERN record.changed")
      yield* as(mia, "resolve-concern", (view) => confirmationCommandBody(view, { resolution: "DISMISSED" }))
      yield* isTold("RESOLVE_CONCERN record.changed")
      yield* as(buyer, "withdraw-confirmation", (view) => confirmationCommandBody(view, {}))
      yield* isTold("WITHDRAW_CONFIRMATION record.changed")
      // One row for each event with listeners; the creation had none.
      const outbox = yield* outboxOf(projectId)
      assert.deepStrictEqual(
        outbox.map(({ sequence }) => sequence),
        expected.map((_, index) => index + 2)
      )
    })
  )

  it.effect("An event is queued for a superseded project, and none for its successor.", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const { buyer, supplier } = pair
      const open = yield* createAgreementAsPerson(buyer, supplier)
      const agreed = yield* runToLocked(pair)
      const subscriptionId = yield* watched(buyer, open, agreed)
      const revised = Effect.fnUntraced(function* (projectId: string) {
        const terms = yield* termsOf(supplier, { title: "Logo, revised" })
        const body = personCommandBody(yield* readProjectAsPerson(buyer, projectId), { reason: "Other dates.", terms })
        return createdBody(yield* commandAsPerson(buyer, projectId, "revise", body)).project.taskId as string
      })
      const next = yield* revised(open)
      assert.deepStrictEqual(yield* queuedFor(subscriptionId), ["SUPERSEDE record.changed"])
      const offered = yield* revised(agreed)
      assert.lengthOf(yield* queuedFor(subscriptionId), 1)
      const answer = answerOf(yield* readProjectAsPerson(supplier, offered), supplier)
      createdBody(yield* commandAsPerson(supplier, offered, "respond", answer))
      assert.deepStrictEqual(yield* queuedFor(subscriptionId), ["SUPERSEDE record.changed", "SUPERSEDE record.changed"])
      for (const projectId of [next, offered]) {
        assert.isEmpty(yield* outboxOf(projectId))
        assert.isEmpty(yield* listenersOf(projectId))
      }
    })
  )

  it.effect("An event is queued once for each listening subscription, in one outbox row.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyerAgent, supplierAgent, projectId } = started
      const subscriptions = [
        yield* subscribeAsAgent(buyerAgent.token, [projectId]),
        yield* subscribeAsAgent(buyerAgent.token, [projectId]),
        yield* subscribeAsAgent(supplierAgent.token, [projectId])
      ].map(({ subscription }) => subscription.id)
      yield* respond(started)
      yield* fanOutDue()
      yield* fanOutDue()
      const [event, ...more] = yield* outboxOf(projectId)
      assert.isEmpty(more)
      assert.sameMembers([...event!.subscriptionIds], subscriptions)
      for (const subscriptionId of subscriptions) {
        const { deliveries } = yield* storedOf(subscriptionId)
        assert.deepStrictEqual(
          deliveries.map(({ deliveryId }) => deliveryId),
          [formatDeliveryId(subscriptionId, event!.eventId)]
        )
      }
    })
  )
})

const respond = Effect.fnUntraced(function* (started: Effect.Success<ReturnType<typeof startProject>>) {
  const { supplierAgent, projectId } = started
  const view = yield* readProject(supplierAgent.token, projectId)
  return yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started))
})

const submit = Effect.fnUntraced(function* (started: Effect.Success<ReturnType<typeof startProject>>) {
  const { supplierAgent, projectId } = started
  const body = submissionFor(yield* readProject(supplierAgent.token, projectId))
  return yield* sendCommand(supplierAgent.token, projectId, "submit", body)
})

layer(memoryTestService, { excludeTestServices: true })("no event is queued", (it) => {
  it.effect("No event is queued for a subscription that does not match it, is not active, or is created later.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyerAgent, projectId } = started
      const other = yield* startProject()
      const { token } = yield* makeAgent(started.buyer, "BUYER", buyerActions, [projectId])
      const make = (changes: object = {}) =>
        Effect.map(subscribeAsAgent(token, [projectId], changes), ({ subscription }) => subscription.id)
      const typed = (...eventTypes: ReadonlyArray<EventType>) => make({ eventTypes })
      const confirmed = yield* typed("agreement.confirmed")
      const others = yield* typed("delivery.submitted", "changes.requested", "acceptance.decided", "record.changed")
      const elsewhere = (yield* subscribeAsAgent(other.buyerAgent.token, [other.projectId])).subscription.id
      const paused = yield* make()
      yield* changeWebhook(token, paused, "pause")
      const revoked = yield* make()
      yield* changeWebhook(token, revoked, "revoke")
      const soon = addMilliseconds(yield* now, 60_000)
      const expired = yield* make({ expiresAt: soon })
      const lasting = yield* make({ expiresAt: addMilliseconds(soon, 1) })
      yield* respond(started).pipe(at(soon))
      const late = yield* make()
      yield* changeWebhook(token, paused, "resume")
      const [event] = yield* outboxOf(projectId)
      assert.sameMembers([...event!.subscriptionIds], [confirmed, lasting])
      const counts = yield* Effect.forEach(
        [confirmed, lasting, others, elsewhere, paused, revoked, expired, late],
        (subscriptionId) => Effect.map(queuedFor(subscriptionId), ({ length }) => length)
      )
      assert.deepStrictEqual(counts, [1, 1, 0, 0, 0, 0, 0, 0])
      // From now on, events are queued for the resumed and the late subscription, but no earlier ones.
      yield* submit(started)
      const after = yield* Effect.forEach([others, paused, late, confirmed, revoked], queuedFor)
      const submitted = ["SUBMIT delivery.submitted"]
      assert.deepStrictEqual(after, [submitted, submitted, submitted, ["RESPOND agreement.confirmed"], []])
      assert.isEmpty((yield* readDeliveries(buyerAgent.token, late)).body.deliveries ?? [])
    })
  )

  it.effect("No event is queued by a refused or replayed request, or a request without an event.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyerAgent, supplierAgent, projectId } = started
      const { subscription } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
      const view = yield* readProject(supplierAgent.token, projectId)
      const body = respondTo(view, started)
      const stale = yield* sendCommand(supplierAgent.token, projectId, "respond", {
        ...body,
        expectedEventHash: "0".repeat(64)
      })
      assert.strictEqual(stale.status, 409)
      assert.isEmpty(yield* outboxOf(projectId))
      for (const replayed of [undefined, true, true]) {
        const answer = yield* sendCommand(supplierAgent.token, projectId, "respond", body)
        assert.deepStrictEqual([answer.status, answer.body.replayed], [200, replayed])
      }
      const seen = yield* readProject(buyerAgent.token, projectId)
      createdBody(yield* sendCommand(buyerAgent.token, projectId, "handoff", handoffOf(seen)))
      assert.deepStrictEqual(yield* queuedFor(subscription.id), ["RESPOND agreement.confirmed"])
      assert.lengthOf(yield* outboxOf(projectId), 1)
    })
  )

  it.effect("No event is queued without listeners, and the project counts its listeners.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyerAgent, projectId } = started
      const { subscription } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
      assert.lengthOf(yield* listenersOf(projectId), 1)
      yield* changeWebhook(buyerAgent.token, subscription.id, "pause")
      yield* changeWebhook(buyerAgent.token, subscription.id, "pause")
      assert.isEmpty(yield* listenersOf(projectId))
      yield* respond(started)
      assert.isEmpty(yield* outboxOf(projectId))
      yield* changeWebhook(buyerAgent.token, subscription.id, "resume")
      yield* changeWebhook(buyerAgent.token, subscription.id, "resume")
      assert.lengthOf(yield* listenersOf(projectId), 1)
      yield* submit(started)
      assert.deepStrictEqual(yield* queuedFor(subscription.id), ["SUBMIT delivery.submitted"])
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("the order of a history", (it) => {
  it.effect("Deliveries of one project are in the order of its events, even if the clocks of two servers differ.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyerAgent, projectId } = started
      const { subscription } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
      const here = addMilliseconds(yield* now, 2_000)
      yield* respond(started).pipe(at(addMilliseconds(here, 800)))
      yield* submit(started).pipe(at(here))
      const told = ["RESPOND agreement.confirmed", "SUBMIT delivery.submitted"]
      assert.deepStrictEqual(yield* queuedFor(subscription.id), told)
      const seen = yield* readProject(buyerAgent.token, projectId)
      createdBody(yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(seen, "REQUEST_CHANGES")))
      assert.deepStrictEqual(yield* queuedFor(subscription.id), [...told, "REVIEW changes.requested"])
    })
  )

  it.effect("Deliveries of several projects are in the order of their commits.", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const first = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const second = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const subscriptionId = yield* watched(pair.buyer, first, second)
      const start = addMilliseconds(yield* now, 1_000)
      const answer = Effect.fnUntraced(function* (projectId: string) {
        createdBody(
          yield* commandAsPerson(
            pair.supplier,
            projectId,
            "respond",
            answerOf(yield* readProjectAsPerson(pair.supplier, projectId), pair.supplier)
          )
        )
      })
      yield* answer(second).pipe(at(start))
      yield* answer(first).pipe(at(addMilliseconds(start, 1)))
      yield* fanOutDue().pipe(at(addMilliseconds(start, 2)))
      const { deliveries } = yield* storedOf(subscriptionId)
      assert.deepStrictEqual(
        deliveries.map(({ projectId }) => projectId),
        [second, first]
      )
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("the limit of subscriptions of one side", (it) => {
  it.effect("At most 200 subscriptions of one side listen to a project, across all owners.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyer, buyerAgent, supplierAgent, projectId } = started
      const expiresAt = addMilliseconds(yield* now, 3_600_000)
      const storage = yield* Storage
      const side = "BUYER" as const
      // Stands for listeners of other owners on that side.
      yield* storage.transaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
        Effect.gen(function* () {
          for (let count = 1; count < limits.subscriptionsPerSide; count++) {
            const subscriptionId = `webhook_${uuid()}`
            const listener = { projectId, subscriptionId, side, eventTypes: [], expiresAt }
            yield* transaction.insert(WebhookListeners, listener)
          }
          yield* recordSubscriptionCount(transaction, projectId, limits.subscriptionsPerSide - 1)
        })
      )
      const { subscription } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
      const other = yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])
      const body = yield* subscriptionTo(projectId)
      const refused = yield* createWebhook(other.token, body)
      assert.deepStrictEqual(outcome(refused), [429, "SUBSCRIPTION_LIMIT"])
      assert.include(refused.body.detail, projectId)
      assert.match(refused.body.detail, /^Limit reached: 200 active subscriptions of this side on /)
      yield* subscribeAsAgent(supplierAgent.token, [projectId])
      // Another subscription has taken the slot of the paused one, which therefore cannot be resumed.
      yield* changeWebhook(buyerAgent.token, subscription.id, "pause")
      const taken = createdBody(yield* createWebhook(other.token, body))
      const waits = yield* changeWebhook(buyerAgent.token, subscription.id, "resume")
      assert.deepStrictEqual(outcome(waits), [429, "SUBSCRIPTION_LIMIT"])
      yield* changeWebhook(other.token, taken.subscription.id, "revoke")
      const resumed = createdBody(yield* changeWebhook(buyerAgent.token, subscription.id, "resume"))
      assert.strictEqual(resumed.subscription.state, "ACTIVE")
      assert.lengthOf(yield* listenersOf(projectId), limits.subscriptionsPerSide + 1)
    })
  )
})
