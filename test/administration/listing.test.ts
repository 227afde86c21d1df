/** Lists of operators: the backlog of subscriptions, projects by party, and no secrets. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { startConnection } from "../../src/access/connections.ts"
import { listAllGrants, listConnections, showConnection, showGrant } from "../../src/access/listing.ts"
import { Grants } from "../../src/access/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { listProjects, showProject } from "../../src/projects/listing.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { listAllSubscriptions, showSubscription } from "../../src/webhooks/operator-listing.ts"
import { setSubscription } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { projectWithEvent, setDueSince, projectWithDeliveries } from "../support/queued-deliveries.ts"

const page = { after: undefined, limit: 10 }
const hour = 3_600_000

layer(memoryTestService, { excludeTestServices: true })("lists of operators", (it) => {
  it.effect("A list shows the backlog of a subscription: its count up to the limit, and its oldest due time", () =>
    Effect.gen(function* () {
      const { id } = yield* projectWithDeliveries()
      const oldestDueAt = addMilliseconds(yield* now, -hour)
      const idle = { held: false, underWay: 0, exhausted: 0 }
      yield* setDueSince(id, oldestDueAt, 3)
      const few = yield* showSubscription(id)
      assert.deepStrictEqual(few.backlog, { pending: 3, hasMore: false, oldestDueAt, ...idle })
      yield* setDueSince(id, oldestDueAt, limits.backlogCounted + 1)
      yield* setSubscription(id, { exhausted: 2 })
      const many = yield* showSubscription(id)
      const counted = { pending: limits.backlogCounted, hasMore: true, oldestDueAt }
      assert.deepStrictEqual(many.backlog, { ...counted, ...idle, exhausted: 2 })
      const byGrant = yield* listAllSubscriptions({ grantId: many.grantId! }, page)
      const byPerson = yield* listAllSubscriptions({ personId: many.personId }, page)
      for (const { items, next } of [byGrant, byPerson]) {
        assert.deepStrictEqual(
          items.map(({ subscriptionId }) => subscriptionId),
          [id]
        )
        assert.isNull(next)
        assert.notMatch(JSON.stringify(items), /countersign|sealed|lease/i, "neither the target's path nor a secret")
      }
    })
  )

  it.effect("A list marks deliveries as held while the grant of their subscription is expired", () =>
    Effect.gen(function* () {
      const { id } = yield* projectWithDeliveries()
      const grantId = (yield* showSubscription(id)).grantId!
      const storage = yield* Storage
      const expiresAt = yield* now
      yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
        transaction.update(Grants, [grantId], { expiresAt })
      )
      assert.deepInclude((yield* showSubscription(id)).backlog, { held: true, pending: 1 })
      assert.deepInclude(yield* showGrant(grantId), { state: "EXPIRED", isUsable: false })
    })
  )

  it.effect("Projects are listed by either side, and grants by their organization", () =>
    Effect.gen(function* () {
      const { projectId, token } = yield* projectWithEvent()
      const shown = yield* showProject(projectId)
      const ids = (listing: { readonly items: ReadonlyArray<{ readonly projectId: string }> }) =>
        listing.items.map((item) => item.projectId)
      for (const party of [shown.buyerOrganizationId, shown.supplierActorId!]) {
        assert.deepStrictEqual(ids(yield* listProjects(party, page)), [projectId])
      }
      const { items } = yield* listAllGrants({ organizationId: shown.buyerOrganizationId }, page)
      assert.lengthOf(items, 1)
      assert.deepInclude(items[0]!, { state: "ACTIVE", isUsable: true, projectCount: 1 })
      assert.notInclude(JSON.stringify(yield* showGrant(items[0]!.grantId)), token)
    })
  )

  it.effect("Connections are listed by state, without their codes", () =>
    Effect.gen(function* () {
      const started = yield* startConnection({ agentName: "Scout", client: "scout 1.0" }, undefined)
      const { items } = yield* listConnections({ state: "PENDING" }, page)
      assert.lengthOf(items, 1)
      assert.deepInclude(items[0]!, { agentName: "Scout", state: "PENDING" })
      const shown = JSON.stringify(yield* showConnection(items[0]!.connectionId))
      for (const secret of [started.deviceCode, started.userCode]) assert.notInclude(shown, secret)
      assert.notMatch(shown, /hash|keyId|lease/i)
      assert.isEmpty((yield* listConnections({ state: "APPROVED" }, page)).items)
    })
  )
})
