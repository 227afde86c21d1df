/** Callbacks on pages: a person sets them up, sees the secret once, follows what was told, and ends them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { onBehalfOf } from "../../src/people/human.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { subscribed, target, TestReceiver } from "../support/callbacks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  acceptTerms,
  historyOf,
  joinAnother,
  pairWithTerms,
  passTo,
  readOwn,
  subscribedAs
} from "../support/own-callbacks.ts"
import { formOn, formsOn, problemsOn, readPage, secretOn, submit, type Values } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { act, agreeing, dateRevisionOf, see } from "../support/person-commands.ts"
import { wordsOn } from "../support/project-pages.ts"
import { everyRow } from "../support/rows.ts"
import { type Answer } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { made } from "../support/workspace.ts"

const list = "/workspace/callbacks"
const fresh = `${list}/new`
const day = 86_400_000

/** Everything that the form asks for; `changes` replaces members. */
const filled = Effect.fnUntraced(function* (projectId: string, changes: Values = {}) {
  const until = addMilliseconds(yield* now, day).slice(0, 10)
  return { target, projects: projectId, events: ["agreement.confirmed", "record.changed"], until, ...changes }
})

const setUp = Effect.fnUntraced(function* (by: SignedInPerson, values: Values) {
  const form = formOn(yield* readPage(by, fresh), fresh)
  return { form, answer: yield* submit(by, form, values) }
})

const inOrder = ({ text }: Answer) => assert.deepStrictEqual(faultsOf(text), [])

layer(memoryTestService, { excludeTestServices: true })("callbacks", (it) => {
  it.effect("are set up by a form, whose secret is shown in its first answer alone", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      assert.include(wordsOn(yield* readPage(buyer, list)), "Nothing is sent to any program yet.")
      const values = yield* filled(projectId)
      const { form, answer: shown } = yield* setUp(buyer, values)
      assert.strictEqual(shown.status, 200, shown.text)
      assert.strictEqual(shown.headers["cache-control"], "no-store")
      assert.strictEqual(shown.headers["location"], undefined)
      inOrder(shown)
      const secret = secretOn(shown)
      const again = yield* submit(buyer, form, values)
      assert.include(wordsOn(again), "set up already")
      inOrder(again)
      assert.notInclude(again.text, secret)
      const [subscription, ...more] = made(yield* readOwn(buyer)).subscriptions
      assert.deepStrictEqual(more, [])
      const { eventTypes, expiresAt, projectIds } = subscription
      assert.deepStrictEqual(
        [eventTypes, expiresAt, projectIds],
        [values.events, `${values.until as string}T23:59:59.999Z`, [projectId]]
      )
      yield* acceptTerms(supplier, projectId)
      const receiver = new TestReceiver()
      assert.strictEqual(yield* passTo(receiver), 1)
      const { headers, body } = receiver.received[0]!
      assert.strictEqual(headers["service-signature"], signatureOf(secret, headers["service-timestamp"]!, body))
      for (const path of [list, `${list}/${subscription.id}`]) {
        const page = yield* readPage(buyer, path)
        inOrder(page)
        assert.notInclude(page.text, secret)
        for (const said of ["hooks.example.com", "active", "Logo"]) assert.include(wordsOn(page), said)
      }
    })
  )

  it.effect("are asked for again where something is wrong, with what was entered", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      const { projectId: foreign } = yield* pairWithTerms
      const today = yield* now
      const dayIn = (days: number) => addMilliseconds(today, days * day).slice(0, 10)
      const latest = dayIn(29)
      const wrong: ReadonlyArray<readonly [Values, ReadonlyArray<readonly [string, string]>]> = [
        [{ target: "" }, [["target", "The address is needed."]]],
        [{ target: "http://hooks.example.com/" }, [["target", "A target begins with https://."]]],
        [{ target: "https://10.0.0.1/" }, [["target", "The host of a target is a name, not an address."]]],
        [{ projects: [] }, [["projects", "Choose at least one project."]]],
        [{ projects: foreign }, [["projects", "Choose again: the projects."]]],
        [{ events: [] }, [["events", "Choose at least one thing to tell of."]]],
        [{ events: "anything" }, [["events", "Choose again: when it tells."]]],
        [{ until: "" }, [["until", "The day: fill this in, once."]]],
        [{ until: dayIn(-1) }, [["until", "The day is over already."]]],
        [{ until: dayIn(31) }, [["until", `The last possible day is ${latest}.`]]]
      ]
      for (const [changes, problems] of wrong) {
        const { answer: refused } = yield* setUp(buyer, yield* filled(projectId, changes))
        assert.strictEqual(refused.status, 400, JSON.stringify(changes))
        assert.deepStrictEqual(problemsOn(refused), problems)
        inOrder(refused)
        assert.notInclude(refused.text, 'class="secret"')
      }
      assert.deepStrictEqual(made(yield* readOwn(buyer)).subscriptions, [])
      const { answer: taken } = yield* setUp(buyer, yield* filled(projectId, { until: latest }))
      assert.strictEqual(taken.status, 200, taken.text)
    })
  )

  it.effect("ask for which organization, where a person could stand on the projects for several", () =>
    Effect.gen(function* () {
      const { supplier, projectId } = yield* pairWithTerms
      const { organizationId } = yield* joinAnother(supplier)
      const { answer: asked } = yield* setUp(supplier, yield* filled(projectId))
      assert.strictEqual(asked.status, 400)
      assert.deepStrictEqual(
        problemsOn(asked).map(([field]) => field),
        ["organizationId"]
      )
      inOrder(asked)
      const { answer: shown } = yield* setUp(supplier, yield* filled(projectId, { organizationId }))
      assert.match(secretOn(shown), /^ddw_/)
    })
  )

  it.effect("of somebody who has left are listed as ended, and tell nothing more", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribedAs(buyer, [projectId])
      yield* acceptTerms(supplier, projectId)
      yield* endMembership("OPERATOR", buyer)
      const page = yield* readPage(buyer, list)
      inOrder(page)
      assert.match(wordsOn(page), /hooks\.example\.com delivery_\S+ mine ended/)
      const detail = yield* readPage(buyer, `${list}/${id}`)
      assert.strictEqual(detail.status, 403)
      assert.notInclude(detail.text, "The supplier accepted")
    })
  )

  it.effect("say so where a person has as many as there can be", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      for (let count = 0; count < limits.subscriptionsPerOwner; count++) yield* subscribedAs(buyer, [projectId])
      const { answer: refused } = yield* setUp(buyer, yield* filled(projectId))
      assert.strictEqual(refused.status, 429)
      assert.deepStrictEqual(problemsOn(refused), [["projects", "As many subscriptions as there can be are in force."]])
      inOrder(yield* readPage(buyer, list))
    })
  )

  it.effect("of a project begin at its page, with that project chosen", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      yield* agreeing(buyer, yield* signInAnew("Kim"))
      const { text } = yield* readPage(buyer, `/workspace/projects/${projectId}`)
      const [, link] = /href="(\/workspace\/callbacks\/new\?project=[^"]*)"/.exec(text)!
      const page = yield* readPage(buyer, link!)
      inOrder(page)
      assert.lengthOf(page.text.match(/ checked/g) ?? [], 1)
      assert.match(page.text, new RegExp(`value="${projectId}"[^>]* checked`))
      const stranger = yield* readPage(yield* signInAnew("Eve"), link!)
      assert.include(wordsOn(stranger), "You stand on a side of no project yet")
      assert.notInclude(stranger.text, "Logo")
      inOrder(stranger)
    })
  )

  it.effect("are paused and resumed, get another secret once, and end when that is confirmed", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id, secret } = yield* subscribedAs(buyer, [projectId])
      const path = `${list}/${id}`
      const press = (verb: string, values: Values = {}) =>
        Effect.gen(function* () {
          const form = formOn(yield* readPage(buyer, path), `${path}/${verb}`)
          return { form, answer: yield* submit(buyer, form, values) }
        })
      const paused = yield* press("pause")
      assert.deepStrictEqual([paused.answer.status, paused.answer.headers["location"]], [303, path])
      assert.include(wordsOn(yield* readPage(buyer, path)), "paused")
      assert.strictEqual((yield* submit(buyer, paused.form)).status, 303)
      assert.strictEqual((yield* press("resume")).answer.status, 303)
      const rotated = yield* press("rotate-secret")
      inOrder(rotated.answer)
      assert.notStrictEqual(secretOn(rotated.answer), secret)
      const twice = yield* submit(buyer, rotated.form)
      assert.strictEqual(twice.status, 409)
      assert.include(wordsOn(twice), "The secret was changed after this form was shown")
      yield* acceptTerms(supplier, projectId)
      const receiver = new TestReceiver()
      yield* passTo(receiver)
      const { headers, body } = receiver.received[0]!
      const signed = signatureOf(secretOn(rotated.answer), headers["service-timestamp"]!, body)
      assert.strictEqual(headers["service-signature"], signed)
      const unconfirmed = yield* press("revoke")
      assert.strictEqual(unconfirmed.answer.status, 400)
      assert.deepStrictEqual(problemsOn(unconfirmed.answer), [["confirmed", "Tick the box to end these callbacks."]])
      inOrder(unconfirmed.answer)
      assert.strictEqual((yield* press("revoke", { confirmed: "on" })).answer.status, 303)
      const ended = yield* readPage(buyer, path)
      inOrder(ended)
      assert.include(wordsOn(ended), "They have ended")
      const verbs = formsOn(ended.text).map(({ action }) => action)
      assert.deepStrictEqual(verbs, ["/workspace/sign-out"])
      for (const { form } of [paused, rotated, unconfirmed]) {
        const late = yield* submit(buyer, form, form === unconfirmed.form ? { confirmed: "on" } : {})
        assert.strictEqual(late.status, 409, form.action)
      }
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("what was told", (it) => {
  it.effect("stands on the page with what became of it, and what failed is sent again by a button", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribedAs(buyer, [projectId])
      const path = `${list}/${id}`
      const words = Effect.map(readPage(buyer, path), wordsOn)
      assert.include(yield* words, "Nothing has happened yet that it tells of.")
      yield* acceptTerms(supplier, projectId)
      assert.match(yield* words, /The supplier accepted the terms .* UTC Logo waits to be sent .* not tried yet now/)
      const receiver = new TestReceiver()
      receiver.last = 500
      const begun = yield* now
      for (let attempt = 1; attempt <= limits.callbackAttempts; attempt++) {
        const then = at(addMilliseconds(begun, attempt * 2 * limits.callbackBackoffMost))
        assert.strictEqual(yield* then(passTo(receiver)), 1)
        const waiting = wordsOn(yield* readPage(buyer, list))
        const said =
          attempt === 1 ? "The last attempt failed or was slow." : `The last ${attempt} attempts failed or were slow.`
        assert.include(
          waiting,
          `slow or failing${attempt === limits.callbackAttempts ? " 1 failed for good" : ""} ${said}`
        )
        const reason = "the receiver answered that it did not take it (status 500)."
        assert.notInclude(waiting, reason)
        assert.match(yield* words, new RegExp(`${said} [^()]* ${reason.replace(/[()]/g, "\\$&")} Failed for good`))
      }
      const failed = yield* readPage(buyer, path)
      inOrder(failed)
      assert.match(wordsOn(failed), /failed for good 8 .* none Send again/)
      assert.include(wordsOn(failed), "Messages failed as often as they are tried.")
      assert.include(wordsOn(failed), "They are below.")
      assert.notInclude(wordsOn(failed), "What failed for good")
      assert.match(
        wordsOn(yield* readPage(buyer, list)),
        / 1 failed for good The last 8 attempts failed or were slow\./
      )
      const [{ deliveryId }] = (yield* historyOf(buyer, id)) as [any]
      const again = formOn(failed, `${path}/deliveries/${deliveryId}/redeliver`)
      const sent = yield* submit(buyer, again)
      assert.deepStrictEqual([sent.status, sent.headers["location"]], [303, path])
      assert.include(yield* words, "waits to be sent 8, 8 left before it is given up")
      assert.notInclude(yield* words, "Messages failed as often")
      receiver.last = 204
      const later = at(addMilliseconds(begun, 20 * limits.callbackBackoffMost))
      yield* later(passTo(receiver))
      assert.match(yield* words, /received 9 .* the receiver took it\. none Send again/)
      assert.notInclude(wordsOn(yield* readPage(buyer, list)), "failing")
    })
  )

  it.effect("goes on page after page, and begins again where the place is unknown", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribedAs(buyer, [projectId])
      const path = `${list}/${id}`
      yield* acceptTerms(supplier, projectId)
      const { checkpoint, deliveries } = made(yield* readOwn(buyer, `/${id}/deliveries`))
      made(yield* act(buyer, projectId, "date-revision", dateRevisionOf(yield* see(buyer, projectId), "DELIVERY")))
      yield* passTo(new TestReceiver())
      const behind = yield* readPage(buyer, `${path}?after=${checkpoint}`)
      inOrder(behind)
      assert.include(wordsOn(behind), "Something else was recorded")
      assert.notInclude(wordsOn(behind), "The supplier accepted the terms Logo")
      const [form] = formsOn(behind.text).filter(({ action }) => action.endsWith("/redeliver"))
      const sent = yield* submit(buyer, form!)
      assert.strictEqual(sent.headers["location"], `${path}?after=${checkpoint}`)
      for (const [after, status] of [
        ["nowhere", 400],
        [deliveries[0].deliveryId, 409]
      ]) {
        const lost = yield* readPage(buyer, `${path}?after=${after}`)
        assert.strictEqual(lost.status, status)
        assert.include(lost.text, `<a href="${path}">Open the history from its beginning</a>`)
      }
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("the callbacks of an agent", (it) => {
  it.effect("stand on its person's list, whatever its name, and are ended there but not signed anew", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      const hostile = { ...buyer, name: `<b onclick=x>\u202eevil` }
      const agent = yield* makeAgent(hostile, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      const odd = `https://hooks.example.com/"><script>alert(1)</script>`
      const { subscription } = yield* subscribed(agent.token, [projectId], { target: encodeURI(odd) })
      const path = `${list}/${subscription.id}`
      for (const page of [yield* readPage(buyer, list), yield* readPage(buyer, path)]) {
        inOrder(page)
        assert.include(page.text, "‹U+202E›evil")
        assert.notMatch(page.text, /<script|<b onclick/)
      }
      const page = yield* readPage(buyer, path)
      const actions = formsOn(page.text).map(({ action }) => action.replace(`${path}/`, ""))
      assert.deepStrictEqual(actions, ["/workspace/sign-out", "pause", "revoke"])
      const forged = { ...formOn(page, `${path}/pause`), action: `${path}/rotate-secret` }
      const before = yield* everyRow
      const refused = yield* submit(buyer, forged, { secretVersion: "1" })
      assert.strictEqual(refused.status, 403)
      assert.include(wordsOn(refused), "The secret of an agent's subscription is the agent's own")
      assert.deepStrictEqual(yield* everyRow, before)
      yield* revokeGrant(onBehalfOf(buyer.personId), agent)
      assert.include(wordsOn(yield* readPage(buyer, path)), "They have ended")
    })
  )

  it.effect("and those of a person are nobody else's, on any page or form", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribedAs(buyer, [projectId])
      yield* acceptTerms(supplier, projectId)
      yield* passTo(new TestReceiver())
      const path = `${list}/${id}`
      const page = yield* readPage(buyer, path)
      const before = yield* everyRow
      const own = formOn(yield* readPage(supplier, list), "/workspace/sign-out")
      for (const { action } of formsOn(page.text).filter((one) => one.action.startsWith(path))) {
        const values = action.endsWith("revoke")
          ? { confirmed: "on" }
          : action.endsWith("rotate-secret")
            ? { secretVersion: "1" }
            : {}
        const foreign = yield* submit(supplier, { ...own, action }, values)
        assert.strictEqual(foreign.status, 404, action)
        assert.notInclude(foreign.text, "hooks.example.com")
        const forged = yield* submit(buyer, { ...own, action }, values)
        assert.strictEqual(forged.status, 403, `${action} ${forged.text}`)
      }
      for (const nowhere of [path, `${list}/webhook_${uuid()}`, `${list}/webhook_1`]) {
        assert.strictEqual((yield* readPage(supplier, nowhere)).status, 404)
      }
      assert.deepStrictEqual(yield* everyRow, before)
    })
  )
})
