/** Callbacks that do not go through, on pages: which they are, why, and what a person can do about each. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Grants } from "../../src/access/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { fill, setDelivery, setSubscription, subscribed, TestReceiver } from "../support/callbacks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  acceptTerms,
  historyOf,
  pairWithTerms,
  passTo,
  postOwn,
  readOwn,
  subscribedAs
} from "../support/own-callbacks.ts"
import { formOn, formsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { makeAgent } from "../support/parties.ts"
import { agreeing } from "../support/person-commands.ts"
import { wordsOn } from "../support/project-pages.ts"
import { made } from "../support/workspace.ts"

const list = "/workspace/callbacks"

/** A buyer's subscription with one message, which was sent unless `isSent` is false. */
const oneMessage = Effect.fnUntraced(function* ({ isSent = true } = {}) {
  const { buyer, supplier, projectId } = yield* pairWithTerms
  const { id } = yield* subscribedAs(buyer, [projectId])
  yield* acceptTerms(supplier, projectId)
  if (isSent) yield* passTo(new TestReceiver())
  const [{ deliveryId, lastAttempt }] = (yield* historyOf(buyer, id)) as [any]
  const path = `${list}/${id}`
  return {
    buyer,
    id,
    path,
    deliveryId: deliveryId as string,
    lastAttempt,
    words: Effect.map(readPage(buyer, path), wordsOn)
  }
})

const redeliveriesOn = (html: string) => formsOn(html).filter(({ action }) => action.endsWith("/redeliver")).length

layer(memoryTestService, { excludeTestServices: true })("callbacks with troubles", (it) => {
  it.effect("are called slow or failing where a receiver takes them too slowly", () =>
    Effect.gen(function* () {
      const { buyer, id, deliveryId, lastAttempt, words } = yield* oneMessage()
      yield* setDelivery(id, deliveryId, { lastAttempt: { ...lastAttempt, durationMs: limits.callbackSlow } })
      yield* setSubscription(id, { failures: 7 })
      assert.match(yield* words, /The last 7 attempts failed or were slow\. Failed for good/)
      assert.include(yield* words, "the receiver took it.")
      yield* setDelivery(id, deliveryId, { lastAttempt: { ...lastAttempt, durationMs: limits.callbackSlow + 1 } })
      assert.match(
        yield* words,
        /State slow or failing .* The last 7 attempts failed or were slow\. [^:]*:\d\d UTC : the receiver took it, but slowly\./
      )
      const page = wordsOn(yield* readPage(buyer, list))
      assert.match(page, /slow or failing The last 7 attempts failed or were slow\./)
      assert.notInclude(page, "the receiver took it")
      made(yield* postOwn(buyer, `/${id}/revoke`))
      assert.notInclude(wordsOn(yield* readPage(buyer, list)), "The last 7 attempts")
      assert.notInclude(yield* words, "The last 7 attempts")
    })
  )

  it.effect("show a few of their projects on the list, and all on their own page", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const projectIds = [projectId]
      while (projectIds.length < 5) projectIds.push(yield* agreeing(buyer, supplier))
      const { id } = yield* subscribedAs(buyer, projectIds)
      const linked = ({ text }: { readonly text: string }) => text.match(/href="\/workspace\/projects\//g) ?? []
      const page = yield* readPage(buyer, list)
      assert.lengthOf(linked(page), 3)
      assert.match(wordsOn(page), /Logo Logo Logo and 2 more mine/)
      assert.lengthOf(linked(yield* readPage(buyer, `${list}/${id}`)), 5)
      yield* subscribedAs(buyer, projectIds.slice(0, 3))
      assert.match(wordsOn(yield* readPage(buyer, list)), /Logo Logo Logo mine/)
    })
  )

  it.effect("say what a message waits for: the resumption, or the renewal of the agent's grant", () =>
    Effect.gen(function* () {
      const { id, buyer, path, deliveryId, words } = yield* oneMessage({ isSent: false })
      assert.match(yield* words, /waits to be sent 0, 8 left before it is given up not tried yet now/)
      made(yield* postOwn(buyer, `/${id}/pause`))
      assert.match(yield* words, /waits until resumed .* not tried yet once resumed/)
      assert.include(yield* words, "What waits goes on, each message when its next attempt is due")
      made(yield* postOwn(buyer, `/${id}/resume`))
      const due = addMilliseconds(yield* now, 3_600_000)
      yield* setDelivery(id, deliveryId, { dueAt: due })
      assert.include((yield* readPage(buyer, path)).text, `<time datetime="${due}">`)
      const { supplier, projectId, buyer: other } = yield* pairWithTerms
      const { grantId, token } = yield* makeAgent(other, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      const { subscription } = yield* subscribed(token, [projectId])
      yield* acceptTerms(supplier, projectId)
      const page = Effect.map(readPage(other, `${list}/${subscription.id}`), wordsOn)
      assert.match(yield* page, /not tried yet now/)
      yield* endGrant(grantId)
      assert.match(yield* page, /waits for the agent’s renewal .* not tried yet once the agent’s grant is renewed/)
    })
  )

  it.effect("count the attempts that are left, of which there are never more than the most there can be", () =>
    Effect.gen(function* () {
      const { id, buyer, path, deliveryId, words } = yield* oneMessage()
      const queued = { state: "PENDING", scheduledAttempts: 0, dueAt: yield* now } as const
      for (const [totalAttempts, left] of [
        [72, 8],
        [77, 3]
      ] as const) {
        yield* setDelivery(id, deliveryId, { ...queued, totalAttempts })
        assert.include(yield* words, `${totalAttempts}, ${left} left before it is given up`)
      }
      for (const state of ["EXHAUSTED", "DELIVERED"] as const) {
        yield* setDelivery(id, deliveryId, { state, totalAttempts: limits.callbackAttemptsTotal })
        assert.include(yield* words, "never: 80 attempts are the most there can be")
        assert.strictEqual(redeliveriesOn((yield* readPage(buyer, path)).text), 0)
      }
      yield* setDelivery(id, deliveryId, { state: "EXHAUSTED", totalAttempts: limits.callbackAttemptsTotal - 1 })
      assert.notInclude(yield* words, "never:")
      assert.strictEqual(redeliveriesOn((yield* readPage(buyer, path)).text), 1)
    })
  )

  it.effect("list what failed for good last, and say where the rest is", () =>
    Effect.gen(function* () {
      const { id, buyer, path, words } = yield* oneMessage()
      yield* fill(id, 110)
      yield* fill(id, 135, { state: "EXHAUSTED" })
      yield* setSubscription(id, { exhausted: 25 })
      const first = yield* readPage(buyer, path)
      assert.deepStrictEqual(faultsOf(first.text), [])
      assert.include(
        wordsOn(first),
        "Some are below, 5 on other pages of what was told: go on to the messages after these."
      )
      assert.match(wordsOn(first), /What failed for good .* failed for good .* What was told/)
      assert.strictEqual(redeliveriesOn(first.text), 20 + 100)
      const { next } = made(yield* readOwn(buyer, `/${id}/deliveries`))
      const second = yield* readPage(buyer, `${path}?after=${next}`)
      assert.include(wordsOn(second), "then send them again. They are below.")
      assert.notInclude(wordsOn(second), "What failed for good")
      assert.strictEqual(redeliveriesOn(second.text), 35)
      // The newest first: the one that came last is sent again from the first page.
      const [newest] = formsOn(first.text).filter(({ action }) => action.endsWith("/redeliver"))
      assert.strictEqual((yield* submit(buyer, newest!)).headers["location"], path)
      const after = made(yield* readOwn(buyer, `/${id}/deliveries?after=${next}`)).deliveries
      assert.strictEqual(after.at(-1).state, "PENDING")
      assert.include(yield* words, "4 on other pages")
      yield* fill(id, 240)
      assert.include(yield* words, "They are on other pages of what was told: go on to the messages after these.")
      const last = made(yield* readOwn(buyer, `/${id}/deliveries?after=${next}`)).next
      assert.include(
        wordsOn(yield* readPage(buyer, `${path}?after=${last}`)),
        "They are on other pages of what was told: go through the messages from the beginning."
      )
    })
  )

  it.effect("get one other secret from a form that is sent twice, at the same time or one after the other", () =>
    Effect.gen(function* () {
      const { buyer, path } = yield* oneMessage()
      const form = formOn(yield* readPage(buyer, path), `${path}/rotate-secret`)
      const answers = yield* Effect.all([submit(buyer, form), submit(buyer, form)], { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
      const late = yield* submit(buyer, form)
      for (const refused of [late, ...answers].filter(({ status }) => status !== 200)) {
        assert.deepStrictEqual(faultsOf(refused.text), [])
        assert.include(wordsOn(refused), "The secret is changed already")
        assert.include(refused.text, `href="${path}"`)
        assert.notInclude(refused.text, "ddw_")
      }
      assert.include((yield* readPage(buyer, path)).text, 'name="secretVersion" value="2"')
      made(yield* postOwn(buyer, `/${path.slice(list.length + 1)}/revoke`))
      const ended = yield* submit(buyer, form)
      assert.strictEqual(ended.status, 409)
      assert.include(wordsOn(ended), "This subscription has ended")
    })
  )
})

/** As if the grant had run out, and could be renewed. */
const endGrant = Effect.fnUntraced(function* (grantId: string) {
  const storage = yield* Storage
  const expiresAt = yield* now
  yield* storage.transaction({ roots: [exclusive("grant", grantId)] }, (transaction) =>
    transaction.update(Grants, [grantId], { expiresAt })
  )
})
