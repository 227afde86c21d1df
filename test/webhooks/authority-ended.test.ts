/** Subscriptions after the end of their authority: no event is queued, sent or kept for them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import type { Authority } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { Grants } from "../../src/access/store.ts"
import { Memberships, type Membership } from "../../src/people/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { rotateSecret } from "../../src/webhooks/change.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { personCaller } from "../../src/webhooks/subscriber.ts"
import { listenersOf, outboxOf, storedOf, subscribeAsAgent, subscriptionTo, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  acceptTerms,
  joinNewOrganization,
  pairWithTerms,
  runWorkerPassTo,
  postOwnWebhooks,
  subscribeAsPerson
} from "../support/person-webhooks.ts"
import { makeAgent } from "../support/parties.ts"
import {
  commandAsPerson,
  createAgreementAsPerson,
  dateRevisionOf,
  readProjectAsPerson
} from "../support/person-commands.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const day = 86_400_000

/** Another person in an organization. */
const joinAsLee = Effect.fnUntraced(function* (organizationId: string, authorities: ReadonlyArray<Authority>) {
  const person = yield* signInNewPerson("Lee")
  const validUntil = addMilliseconds(yield* now, day)
  const input = { personId: person.personId, organizationId, authorities, validUntil }
  return { person, ...(yield* createMembership(input)) }
})

/** A person in the buyer's organization with a subscription of their own. */
const colleague = Effect.fnUntraced(function* (organizationId: string, projectIds: ReadonlyArray<string>) {
  const { person, membershipId } = yield* joinAsLee(organizationId, [])
  const { id, body } = yield* subscribeAsPerson(person, projectIds)
  return { person, membershipId, id, body }
})

/** A person in the buyer's organization whose agent has a subscription. */
const colleagueWithAgent = Effect.fnUntraced(function* (organizationId: string, projectId: string) {
  const { person, membershipId } = yield* joinAsLee(organizationId, ["DELEGATE", "DELIVERY_REVIEW"])
  const party = { ...person, organizationId }
  const { token, grantId } = yield* makeAgent(party, "BUYER", ["REVIEW_DELIVERY"], [projectId])
  const { subscription } = yield* subscribeAsAgent(token, [projectId])
  return { person, membershipId, grantId, id: subscription.id }
})

const changeMembership = Effect.fnUntraced(function* (membershipId: string, changes: Partial<Membership>) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("membership", membershipId)] }, (transaction) =>
    transaction.update(Memberships, [membershipId], changes)
  )
})

/** Lets a membership expire now. */
const expireMembership = (membershipId: string) =>
  Effect.flatMap(now, (validUntil) => changeMembership(membershipId, { validUntil }))

/** Lets a grant expire now. */
const expireGrant = Effect.fnUntraced(function* (grantId: string) {
  const storage = yield* Storage
  const expiresAt = yield* now
  yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
    transaction.update(Grants, [grantId], { expiresAt })
  )
})

type Pair = Effect.Success<typeof pairWithTerms>

/** Creates a subscription; returns its owner and the operation that ends its authority. */
const endings = [
  [
    "the grant was revoked",
    Effect.fnUntraced(function* ({ buyer, projectId }: Pair) {
      const agent = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      const { subscription } = yield* subscribeAsAgent(agent.token, [projectId])
      const owner: SignedInPerson = buyer
      return { id: subscription.id, owner, end: revokeGrant(onBehalfOf(buyer.personId), agent) }
    })
  ],
  [
    "the membership ended",
    Effect.fnUntraced(function* ({ buyer, projectId }: Pair) {
      const { id, person, membershipId } = yield* colleague(buyer.organizationId, [projectId])
      return { id, owner: person, end: endMembership(buyer, { membershipId }) }
    })
  ],
  [
    "the membership expired",
    Effect.fnUntraced(function* ({ buyer, projectId }: Pair) {
      const { id, person, membershipId } = yield* colleague(buyer.organizationId, [projectId])
      return { id, owner: person, end: expireMembership(membershipId) }
    })
  ],
  [
    "the membership of its grant expired",
    Effect.fnUntraced(function* ({ buyer, projectId }: Pair) {
      const { id, person, membershipId, grantId } = yield* colleagueWithAgent(buyer.organizationId, projectId)
      return { id, owner: person, end: Effect.andThen(expireGrant(grantId), expireMembership(membershipId)) }
    })
  ]
] as const

layer(memoryTestService, { excludeTestServices: true })("a subscription whose authority has ended", (it) => {
  it.effect.each(endings)(
    "Once %s, no event is numbered for the subscription, and it can only be revoked.",
    ([, make]) =>
      Effect.gen(function* () {
        const pair = yield* pairWithTerms
        const { id, owner, end } = yield* make(pair)
        yield* acceptTerms(pair.supplier, pair.projectId)
        // Each happens in another millisecond.
        yield* Effect.sleep(2)
        yield* end
        yield* Effect.sleep(2)
        const { buyer, projectId } = pair
        createdBody(
          yield* commandAsPerson(
            buyer,
            projectId,
            "date-revision",
            dateRevisionOf(yield* readProjectAsPerson(buyer, projectId), "DELIVERY")
          )
        )
        // Both events were committed while the subscription was still a listener; no worker has processed its end.
        const outbox = yield* outboxOf(projectId)
        assert.deepStrictEqual(
          outbox.map((event) => event.subscriptionIds.includes(id)),
          [true, true]
        )
        yield* fanOutDue()
        const { deliveries } = yield* storedOf(id)
        assert.deepStrictEqual(
          deliveries.map(({ eventId }) => eventId),
          [outbox[0]!.eventId]
        )
        // Only the agent has the secret of an agent's subscription.
        const isOwn = (yield* storedOf(id)).subscription.grantId === null
        const refused = isOwn ? ["pause", "resume", "rotate-secret"] : ["pause", "resume"]
        for (const verb of refused) {
          assert.deepStrictEqual(
            outcome(yield* postOwnWebhooks(owner, `/${id}/${verb}`)),
            [409, "STATE_CONFLICT"],
            verb
          )
        }
        assert.strictEqual((yield* postOwnWebhooks(owner, `/${id}/revoke`)).status, 200)
        assert.isEmpty((yield* listenersOf(projectId)).filter(({ subscriptionId }) => subscriptionId === id))
      })
  )
})

const owners = [
  ["a person", ({ buyer, projectId }: Pair) => colleague(buyer.organizationId, [projectId])],
  ["an agent", ({ buyer, projectId }: Pair) => colleagueWithAgent(buyer.organizationId, projectId)]
] as const

layer(memoryTestService, { excludeTestServices: true })("a membership that is not yet in force", (it) => {
  it.effect.each(owners)(
    "A worker whose clock is behind the start of a membership sends nothing and keeps the subscription of %s.",
    ([, make]) =>
      Effect.gen(function* () {
        const pair = yield* pairWithTerms
        const { id, person, membershipId } = yield* make(pair)
        const start = yield* now
        yield* changeMembership(membershipId, { validFrom: addMilliseconds(start, day / 2) })
        yield* acceptTerms(pair.supplier, pair.projectId)
        const receiver = new TestReceiver()
        yield* runWorkerPassTo(receiver)
        assert.isEmpty(receiver.opened)
        // A resumed subscription listens to its projects again.
        for (const verb of ["pause", "resume"]) {
          assert.strictEqual((yield* postOwnWebhooks(person, `/${id}/${verb}`)).status, 200, verb)
        }
        const { subscription, deliveries } = yield* storedOf(id)
        assert.isNull(subscription.revokedAt)
        assert.deepStrictEqual(
          deliveries.map(({ state }) => state),
          ["PENDING"]
        )
        assert.lengthOf(
          (yield* listenersOf(pair.projectId)).filter(({ subscriptionId }) => subscriptionId === id),
          1
        )
        yield* changeMembership(membershipId, { validFrom: start })
        yield* runWorkerPassTo(receiver)
        assert.lengthOf(receiver.received, 1)
      })
  )
})

layer(memoryTestService, { excludeTestServices: true })(
  "quota slots of subscriptions whose authority has ended",
  (it) => {
    it.effect("A subscription whose authority has ended frees its quota slot for the next creation of its owner.", () =>
      Effect.gen(function* () {
        const { buyer, supplier } = yield* pairWithTerms
        const projectId = yield* createAgreementAsPerson(buyer, supplier)
        const { person, membershipId, body } = yield* colleague(buyer.organizationId, [projectId])
        for (let count = 1; count < limits.subscriptionsPerOwner; count++) yield* subscribeAsPerson(person, [projectId])
        const more = yield* subscriptionTo(projectId)
        assert.deepStrictEqual(outcome(yield* postOwnWebhooks(person, "", more)), [429, "SUBSCRIPTION_LIMIT"])
        yield* endMembership(buyer, { membershipId })
        // Replays of the earlier creations get their original responses, although the membership has ended.
        const again = yield* postOwnWebhooks(person, "", body)
        assert.deepStrictEqual([again.status, again.body.replayed], [201, true])
        assert.deepStrictEqual(outcome(yield* postOwnWebhooks(person, "", more)), [403, "FORBIDDEN"])
        const validUntil = addMilliseconds(yield* now, day)
        const { personId } = person
        yield* createMembership({ personId, organizationId: buyer.organizationId, authorities: [], validUntil })
        assert.strictEqual((yield* postOwnWebhooks(person, "", more)).status, 201)
      })
    )
  }
)

layer(memoryTestService, { excludeTestServices: true })(
  "a project that the subscriber no longer represents a party on",
  (it) => {
    it.effect(
      "A subscription stops listening to a project that its owner no longer represents a party on, and continues on the others.",
      () =>
        Effect.gen(function* () {
          const { buyer, supplier, projectId } = yield* pairWithTerms
          const kept = yield* createAgreementAsPerson(buyer, supplier)
          const another = yield* joinNewOrganization(supplier)
          const { organizationId } = supplier
          const { id } = yield* subscribeAsPerson(supplier, [projectId, kept], { organizationId })
          yield* acceptTerms(supplier, projectId, { organizationId: another.organizationId })
          yield* runWorkerPassTo(new TestReceiver())
          const { deliveries, subscription } = yield* storedOf(id)
          assert.strictEqual(deliveries[0]?.lastAttempt?.outcome, "AUTHORITY_ENDED")
          assert.isNull(subscription.revokedAt)
          assert.isEmpty(yield* listenersOf(projectId))
          assert.lengthOf(yield* listenersOf(kept), 1)
        })
    )
  }
)

layer(memoryTestService, { excludeTestServices: true })("rotation of a secret", (it) => {
  it.effect("A rotation with an outdated expected version is refused.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      const { id } = yield* subscribeAsPerson(buyer, [projectId])
      const by = personCaller(onBehalfOf(buyer.personId))
      const first = yield* rotateSecret(by, id, 1)
      assert.strictEqual(first.row.secretVersion, 2)
      const refused = yield* Effect.flip(rotateSecret(by, id, 1))
      assert.strictEqual(refused.code, "STATE_CONFLICT")
      const { subscription } = yield* storedOf(id)
      assert.deepInclude(subscription, { secretVersion: 2, sealedSecret: first.row.sealedSecret })
      assert.strictEqual((yield* rotateSecret(by, id)).row.secretVersion, 3)
    })
  )
})
