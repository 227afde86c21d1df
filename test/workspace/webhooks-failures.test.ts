/** Failing webhooks on pages: their state, the reason and the next step. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Grants } from "../../src/access/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { insertDeliveries, setDelivery, setSubscription, subscribeAsAgent, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  acceptTerms,
  historyOf,
  pairWithTerms,
  runWorkerPassTo,
  postOwnWebhooks,
  readOwnWebhooks,
  subscribeAsPerson
} from "../support/person-webhooks.ts"
import { formOn, formsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { makeAgent } from "../support/parties.ts"
import { createAgreementAsPerson } from "../support/person-commands.ts"
import { textOn } from "../support/project-pages.ts"
import { createdBody } from "../support/workspace.ts"

const list = "/workspace/callbacks"

/** A buyer's subscription with one message, sent unless `isSent` is false. */
const oneMessage = Effect.fnUntraced(function* ({ isSent = true } = {}) {
  const { buyer, supplier, projectId } = yield* pairWithTerms
  const { id } = yield* subscribeAsPerson(buyer, [projectId])
  yield* acceptTerms(supplier, projectId)
  if (isSent) yield* runWorkerPassTo(new TestReceiver())
  const [{ deliveryId, lastAttempt }] = (yield* historyOf(buyer, id)) as [any]
  const path = `${list}/${id}`
  return {
    buyer,
    id,
    path,
    deliveryId: deliveryId as string,
    lastAttempt,
    words: Effect.map(readPage(buyer, path), textOn)
  }
})

const redeliveriesOn = (html: string) => formsOn(html).filter(({ action }) => action.endsWith("/redeliver")).length

layer(memoryTestService, { excludeTestServices: true })("failing webhooks", (it) => {
  it.effect("A webhook whose receiver responds too slowly is shown as slow or failing.", () =>
    Effect.gen(function* () {
      const { buyer, id, deliveryId, lastAttempt, words } = yield* oneMessage()
      yield* setDelivery(id, deliveryId, { lastAttempt: { ...lastAttempt, durationMs: limits.webhookSlow } })
      yield* setSubscription(id, { failures: 7 })
      assert.match(yield* words, /The last 7 attempts failed or were slow\. Failed permanently/)
      assert.include(yield* words, "the receiver accepted it.")
      yield* setDelivery(id, deliveryId, { lastAttempt: { ...lastAttempt, durationMs: limits.webhookSlow + 1 } })
      assert.match(
        yield* words,
        /State slow or failing .* The last 7 attempts failed or were slow\. [^:]*:\d\d UTC : the receiver accepted it, but responded slowly\./
      )
      const page = textOn(yield* readPage(buyer, list))
      assert.match(page, /slow or failing The last 7 attempts failed or were slow\./)
      assert.notInclude(page, "the receiver took it")
      createdBody(yield* postOwnWebhooks(buyer, `/${id}/revoke`))
      assert.notInclude(textOn(yield* readPage(buyer, list)), "The last 7 attempts")
      assert.notInclude(yield* words, "The last 7 attempts")
    })
  )

  it.effect("The list shows at most three projects of a webhook; the webhook's own page shows all.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const projectIds = [projectId]
      while (projectIds.length < 5) projectIds.push(yield* createAgreementAsPerson(buyer, supplier))
      const { id } = yield* subscribeAsPerson(buyer, projectIds)
      const linked = ({ text }: { readonly text: string }) => text.match(/href="\/workspace\/projects\//g) ?? []
      const page = yield* readPage(buyer, list)
      assert.lengthOf(linked(page), 3)
      assert.match(textOn(page), /Logo Logo Logo and 2 more mine/)
      assert.lengthOf(linked(yield* readPage(buyer, `${list}/${id}`)), 5)
      yield* subscribeAsPerson(buyer, projectIds.slice(0, 3))
      assert.match(textOn(yield* readPage(buyer, list)), /Logo Logo Logo mine/)
    })
  )

  it.effect("A pending message shows whether it waits for a resumption or for the renewal of a grant.", () =>
    Effect.gen(function* () {
      const { id, buyer, path, deliveryId, words } = yield* oneMessage({ isSent: false })
      assert.match(yield* words, /waits to be sent 0, 8 left no attempt yet now/)
      createdBody(yield* postOwnWebhooks(buyer, `/${id}/pause`))
      assert.match(yield* words, /waits until resumed .* no attempt yet once resumed/)
      assert.include(yield* words, "Pending messages are sent when their next attempt is due")
      createdBody(yield* postOwnWebhooks(buyer, `/${id}/resume`))
      const due = addMilliseconds(yield* now, 3_600_000)
      yield* setDelivery(id, deliveryId, { dueAt: due })
      assert.include((yield* readPage(buyer, path)).text, `<time datetime="${due}">`)
      const { supplier, projectId, buyer: other } = yield* pairWithTerms
      const { grantId, token } = yield* makeAgent(other, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      const { subscription } = yield* subscribeAsAgent(token, [projectId])
      yield* acceptTerms(supplier, projectId)
      const page = Effect.map(readPage(other, `${list}/${subscription.id}`), textOn)
      assert.match(yield* page, /no attempt yet now/)
      yield* endGrant(grantId)
      assert.match(yield* page, /waits for the agent’s renewal .* no attempt yet once the agent’s grant is renewed/)
    })
  )

  it.effect("A message shows its remaining attempts, which never exceed the limit of all attempts.", () =>
    Effect.gen(function* () {
      const { id, buyer, path, deliveryId, words } = yield* oneMessage()
      const queued = { state: "PENDING", scheduledAttempts: 0, dueAt: yield* now } as const
      for (const [totalAttempts, left] of [
        [72, 8],
        [77, 3]
      ] as const) {
        yield* setDelivery(id, deliveryId, { ...queued, totalAttempts })
        assert.include(yield* words, `${totalAttempts}, ${left} left`)
      }
      for (const state of ["EXHAUSTED", "DELIVERED"] as const) {
        yield* setDelivery(id, deliveryId, { state, totalAttempts: limits.webhookAttemptsTotal })
        assert.include(yield* words, "never: limit of 80 attempts reached")
        assert.strictEqual(redeliveriesOn((yield* readPage(buyer, path)).text), 0)
      }
      yield* setDelivery(id, deliveryId, { state: "EXHAUSTED", totalAttempts: limits.webhookAttemptsTotal - 1 })
      assert.notInclude(yield* words, "never:")
      assert.strictEqual(redeliveriesOn((yield* readPage(buyer, path)).text), 1)
    })
  )

  it.effect("The page lists the newest permanently failed messages and states on which pages the others are.", () =>
    Effect.gen(function* () {
      const { id, buyer, path, words } = yield* oneMessage()
      yield* insertDeliveries(id, 110)
      yield* insertDeliveries(id, 135, { state: "EXHAUSTED" })
      yield* setSubscription(id, { exhausted: 25 })
      const first = yield* readPage(buyer, path)
      assert.deepStrictEqual(accessibilityFaults(first.text), [])
      assert.include(textOn(first), "Some are below, 5 on other pages of the history: continue to the next messages.")
      assert.match(textOn(first), /Permanently failed messages .* failed permanently .* Delivery history/)
      assert.strictEqual(redeliveriesOn(first.text), 20 + 100)
      const { next } = createdBody(yield* readOwnWebhooks(buyer, `/${id}/deliveries`))
      const second = yield* readPage(buyer, `${path}?after=${next}`)
      assert.include(textOn(second), "then send them again. They are below.")
      assert.notInclude(textOn(second), "Permanently failed messages")
      assert.strictEqual(redeliveriesOn(second.text), 35)
      // Newest first: the newest failed message is sent again from the first page.
      const [newest] = formsOn(first.text).filter(({ action }) => action.endsWith("/redeliver"))
      assert.strictEqual((yield* submit(buyer, newest!)).headers["location"], path)
      const after = createdBody(yield* readOwnWebhooks(buyer, `/${id}/deliveries?after=${next}`)).deliveries
      assert.strictEqual(after.at(-1).state, "PENDING")
      assert.include(yield* words, "4 on other pages")
      yield* insertDeliveries(id, 240)
      assert.include(yield* words, "They are on other pages of the history: continue to the next messages.")
      const last = createdBody(yield* readOwnWebhooks(buyer, `/${id}/deliveries?after=${next}`)).next
      assert.include(
        textOn(yield* readPage(buyer, `${path}?after=${last}`)),
        "They are on other pages of the history: go through the history from its beginning."
      )
    })
  )

  it.effect("A form that rotates a secret and is sent twice, concurrently or in sequence, rotates it once.", () =>
    Effect.gen(function* () {
      const { buyer, path } = yield* oneMessage()
      const form = formOn(yield* readPage(buyer, path), `${path}/rotate-secret`)
      const answers = yield* Effect.all([submit(buyer, form), submit(buyer, form)], { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
      const late = yield* submit(buyer, form)
      for (const refused of [late, ...answers].filter(({ status }) => status !== 200)) {
        assert.deepStrictEqual(accessibilityFaults(refused.text), [])
        assert.include(textOn(refused), "The secret was already changed")
        assert.include(refused.text, `href="${path}"`)
        assert.notInclude(refused.text, "ddw_")
      }
      assert.include((yield* readPage(buyer, path)).text, 'name="secretVersion" value="2"')
      createdBody(yield* postOwnWebhooks(buyer, `/${path.slice(list.length + 1)}/revoke`))
      const ended = yield* submit(buyer, form)
      assert.strictEqual(ended.status, 409)
      assert.include(textOn(ended), "This subscription has ended")
    })
  )
})

/** Expires the grant, which can still be renewed. */
const endGrant = Effect.fnUntraced(function* (grantId: string) {
  const storage = yield* Storage
  const expiresAt = yield* now
  yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
    transaction.update(Grants, [grantId], { expiresAt })
  )
})
