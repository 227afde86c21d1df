/** Webhooks on pages: creation, secret, history and end. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { subscribeAsAgent, target, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  acceptTerms,
  historyOf,
  joinNewOrganization,
  pairWithTerms,
  runWorkerPassTo,
  readOwnWebhooks,
  subscribeAsPerson
} from "../support/person-webhooks.ts"
import { formOn, formsOn, problemsOn, readPage, secretOn, submit, type Values } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import {
  commandAsPerson,
  createAgreementAsPerson,
  dateRevisionOf,
  readProjectAsPerson
} from "../support/person-commands.ts"
import { textOn } from "../support/project-pages.ts"
import { everyRow } from "../support/rows.ts"
import { type Answer } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"

const list = "/workspace/callbacks"
const freshSession = `${list}/new`
const day = 86_400_000

/** Valid values of the form; `changes` replaces members. */
const formValues = Effect.fnUntraced(function* (projectId: string, changes: Values = {}) {
  const until = addMilliseconds(yield* now, day).slice(0, 10)
  return { target, projects: projectId, events: ["agreement.confirmed", "record.changed"], until, ...changes }
})

const createWebhook = Effect.fnUntraced(function* (by: SignedInPerson, values: Values) {
  const form = formOn(yield* readPage(by, freshSession), freshSession)
  return { form, answer: yield* submit(by, form, values) }
})

const assertAccessible = ({ text }: Answer) => assert.deepStrictEqual(accessibilityFaults(text), [])

layer(memoryTestService, { excludeTestServices: true })("webhooks of a person", (it) => {
  it.effect("A webhook is created by a form, and its secret is shown only in the first response.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      assert.include(textOn(yield* readPage(buyer, list)), "There is no webhook yet.")
      const values = yield* formValues(projectId)
      const { form, answer: shown } = yield* createWebhook(buyer, values)
      assert.strictEqual(shown.status, 200, shown.text)
      assert.strictEqual(shown.headers["cache-control"], "no-store")
      assert.strictEqual(shown.headers["location"], undefined)
      assertAccessible(shown)
      const secret = secretOn(shown)
      const again = yield* submit(buyer, form, values)
      assert.include(textOn(again), "already created")
      assertAccessible(again)
      assert.notInclude(again.text, secret)
      const [subscription, ...more] = createdBody(yield* readOwnWebhooks(buyer)).subscriptions
      assert.deepStrictEqual(more, [])
      const { eventTypes, expiresAt, projectIds } = subscription
      assert.deepStrictEqual(
        [eventTypes, expiresAt, projectIds],
        [values.events, `${values.until as string}T23:59:59.999Z`, [projectId]]
      )
      yield* acceptTerms(supplier, projectId)
      const receiver = new TestReceiver()
      assert.strictEqual(yield* runWorkerPassTo(receiver), 1)
      const { headers, body } = receiver.received[0]!
      assert.strictEqual(headers["service-signature"], signatureOf(secret, headers["service-timestamp"]!, body))
      for (const path of [list, `${list}/${subscription.id}`]) {
        const page = yield* readPage(buyer, path)
        assertAccessible(page)
        assert.notInclude(page.text, secret)
        for (const expected of ["hooks.example.com", "active", "Logo"]) assert.include(textOn(page), expected)
      }
    })
  )

  it.effect("An invalid webhook form is shown again with its problems and the entered values.", () =>
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
        [{ events: [] }, [["events", "Choose at least one event type."]]],
        [{ events: "anything" }, [["events", "Choose again: the events."]]],
        [{ until: "" }, [["until", "The day: fill in this field once."]]],
        [{ until: dayIn(-1) }, [["until", "The day has already passed."]]],
        [{ until: dayIn(31) }, [["until", `The last possible day is ${latest}.`]]]
      ]
      for (const [changes, problems] of wrong) {
        const { answer: refused } = yield* createWebhook(buyer, yield* formValues(projectId, changes))
        assert.strictEqual(refused.status, 400, JSON.stringify(changes))
        assert.deepStrictEqual(problemsOn(refused), problems)
        assertAccessible(refused)
        assert.notInclude(refused.text, 'class="secret"')
      }
      assert.deepStrictEqual(createdBody(yield* readOwnWebhooks(buyer)).subscriptions, [])
      const { answer: taken } = yield* createWebhook(buyer, yield* formValues(projectId, { until: latest }))
      assert.strictEqual(taken.status, 200, taken.text)
    })
  )

  it.effect("A webhook form requires an organization when the person could represent the party for several.", () =>
    Effect.gen(function* () {
      const { supplier, projectId } = yield* pairWithTerms
      const { organizationId } = yield* joinNewOrganization(supplier)
      const { answer: asked } = yield* createWebhook(supplier, yield* formValues(projectId))
      assert.strictEqual(asked.status, 400)
      assert.deepStrictEqual(
        problemsOn(asked).map(([field]) => field),
        ["organizationId"]
      )
      assertAccessible(asked)
      const { answer: shown } = yield* createWebhook(supplier, yield* formValues(projectId, { organizationId }))
      assert.match(secretOn(shown), /^ddw_/)
    })
  )

  it.effect("A webhook of a former member is listed as ended, and its page is refused with 403.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribeAsPerson(buyer, [projectId])
      yield* acceptTerms(supplier, projectId)
      yield* endMembership("OPERATOR", buyer)
      const page = yield* readPage(buyer, list)
      assertAccessible(page)
      assert.match(textOn(page), /hooks\.example\.com delivery_\S+ mine ended/)
      const detail = yield* readPage(buyer, `${list}/${id}`)
      assert.strictEqual(detail.status, 403)
      assert.notInclude(detail.text, "The supplier accepted")
    })
  )

  it.effect("A webhook that exceeds the limit of active subscriptions is refused with 429.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      for (let count = 0; count < limits.subscriptionsPerOwner; count++) yield* subscribeAsPerson(buyer, [projectId])
      const { answer: refused } = yield* createWebhook(buyer, yield* formValues(projectId))
      assert.strictEqual(refused.status, 429)
      assert.deepStrictEqual(problemsOn(refused), [
        ["projects", "Limit reached: 50 active subscriptions; ask their owner to end one."]
      ])
      assertAccessible(yield* readPage(buyer, list))
    })
  )

  it.effect("A project's page links to a webhook form with that project selected.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      yield* createAgreementAsPerson(buyer, yield* signInNewPerson("Kim"))
      const { text } = yield* readPage(buyer, `/workspace/projects/${projectId}`)
      const [, link] = /href="(\/workspace\/callbacks\/new\?project=[^"]*)"/.exec(text)!
      const page = yield* readPage(buyer, link!)
      assertAccessible(page)
      assert.lengthOf(page.text.match(/ checked/g) ?? [], 1)
      assert.match(page.text, new RegExp(`value="${projectId}"[^>]* checked`))
      const outsider = yield* readPage(yield* signInNewPerson("Eve"), link!)
      assert.include(textOn(outsider), "You are a party of no project yet")
      assert.notInclude(outsider.text, "Logo")
      assertAccessible(outsider)
    })
  )

  it.effect("A webhook is paused and resumed, its secret is rotated once, and it ends after a confirmation.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id, secret } = yield* subscribeAsPerson(buyer, [projectId])
      const path = `${list}/${id}`
      const press = (verb: string, values: Values = {}) =>
        Effect.gen(function* () {
          const form = formOn(yield* readPage(buyer, path), `${path}/${verb}`)
          return { form, answer: yield* submit(buyer, form, values) }
        })
      const paused = yield* press("pause")
      assert.deepStrictEqual([paused.answer.status, paused.answer.headers["location"]], [303, path])
      assert.include(textOn(yield* readPage(buyer, path)), "paused")
      assert.strictEqual((yield* submit(buyer, paused.form)).status, 303)
      assert.strictEqual((yield* press("resume")).answer.status, 303)
      const rotated = yield* press("rotate-secret")
      assertAccessible(rotated.answer)
      assert.notStrictEqual(secretOn(rotated.answer), secret)
      const twice = yield* submit(buyer, rotated.form)
      assert.strictEqual(twice.status, 409)
      assert.include(textOn(twice), "The secret was changed after this form was shown")
      yield* acceptTerms(supplier, projectId)
      const receiver = new TestReceiver()
      yield* runWorkerPassTo(receiver)
      const { headers, body } = receiver.received[0]!
      const signed = signatureOf(secretOn(rotated.answer), headers["service-timestamp"]!, body)
      assert.strictEqual(headers["service-signature"], signed)
      const unconfirmed = yield* press("revoke")
      assert.strictEqual(unconfirmed.answer.status, 400)
      assert.deepStrictEqual(problemsOn(unconfirmed.answer), [["confirmed", "Tick the box to end this webhook."]])
      assertAccessible(unconfirmed.answer)
      assert.strictEqual((yield* press("revoke", { confirmed: "on" })).answer.status, 303)
      const ended = yield* readPage(buyer, path)
      assertAccessible(ended)
      assert.include(textOn(ended), "It has ended")
      const verbs = formsOn(ended.text).map(({ action }) => action)
      assert.deepStrictEqual(verbs, ["/workspace/sign-out"])
      for (const { form } of [paused, rotated, unconfirmed]) {
        const late = yield* submit(buyer, form, form === unconfirmed.form ? { confirmed: "on" } : {})
        assert.strictEqual(late.status, 409, form.action)
      }
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("the history of a webhook", (it) => {
  it.effect("The history shows the outcome of every message, and a failed message is sent again by a button.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribeAsPerson(buyer, [projectId])
      const path = `${list}/${id}`
      const words = Effect.map(readPage(buyer, path), textOn)
      assert.include(yield* words, "No such event has occurred yet.")
      yield* acceptTerms(supplier, projectId)
      assert.match(yield* words, /The supplier accepted the terms .* UTC Logo waits to be sent .* no attempt yet now/)
      const receiver = new TestReceiver()
      receiver.last = 500
      const begun = yield* now
      for (let attempt = 1; attempt <= limits.webhookAttempts; attempt++) {
        const then = at(addMilliseconds(begun, attempt * 2 * limits.webhookBackoffMost))
        assert.strictEqual(yield* then(runWorkerPassTo(receiver)), 1)
        const waiting = textOn(yield* readPage(buyer, list))
        const expected =
          attempt === 1 ? "The last attempt failed or was slow." : `The last ${attempt} attempts failed or were slow.`
        assert.include(
          waiting,
          `slow or failing${attempt === limits.webhookAttempts ? " 1 failed permanently" : ""} ${expected}`
        )
        const reason = "the receiver responded with an error (status 500)."
        assert.notInclude(waiting, reason)
        assert.match(
          yield* words,
          new RegExp(`${expected} [^()]* ${reason.replace(/[()]/g, "\\$&")} Failed permanently`)
        )
      }
      const failed = yield* readPage(buyer, path)
      assertAccessible(failed)
      assert.match(textOn(failed), /failed permanently 8 .* none Send again/)
      assert.include(textOn(failed), "Some deliveries failed on all attempts")
      assert.include(textOn(failed), "They are below.")
      assert.notInclude(textOn(failed), "Permanently failed messages")
      assert.match(
        textOn(yield* readPage(buyer, list)),
        / 1 failed permanently The last 8 attempts failed or were slow\./
      )
      const [{ deliveryId }] = (yield* historyOf(buyer, id)) as [any]
      const again = formOn(failed, `${path}/deliveries/${deliveryId}/redeliver`)
      const sent = yield* submit(buyer, again)
      assert.deepStrictEqual([sent.status, sent.headers["location"]], [303, path])
      assert.include(yield* words, "waits to be sent 8, 8 left")
      assert.notInclude(yield* words, "Some deliveries failed on all attempts")
      receiver.last = 204
      const later = at(addMilliseconds(begun, 20 * limits.webhookBackoffMost))
      yield* later(runWorkerPassTo(receiver))
      assert.match(yield* words, /received 9 .* the receiver accepted it\. none Send again/)
      assert.notInclude(textOn(yield* readPage(buyer, list)), "failing")
    })
  )

  it.effect("The history is paged, and an unknown checkpoint links to its beginning.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribeAsPerson(buyer, [projectId])
      const path = `${list}/${id}`
      yield* acceptTerms(supplier, projectId)
      const { checkpoint, deliveries } = createdBody(yield* readOwnWebhooks(buyer, `/${id}/deliveries`))
      createdBody(
        yield* commandAsPerson(
          buyer,
          projectId,
          "date-revision",
          dateRevisionOf(yield* readProjectAsPerson(buyer, projectId), "DELIVERY")
        )
      )
      yield* runWorkerPassTo(new TestReceiver())
      const behind = yield* readPage(buyer, `${path}?after=${checkpoint}`)
      assertAccessible(behind)
      assert.include(textOn(behind), "Another event was recorded")
      assert.notInclude(textOn(behind), "The supplier accepted the terms Logo")
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

layer(memoryTestService, { excludeTestServices: true })("webhooks of an agent", (it) => {
  it.effect("An agent's webhook is listed for its person, who can end it but cannot rotate its secret.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      const hostile = { ...buyer, name: `<b onclick=x>\u202eevil` }
      const agent = yield* makeAgent(hostile, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      const odd = `https://hooks.example.com/"><script>alert(1)</script>`
      const { subscription } = yield* subscribeAsAgent(agent.token, [projectId], { target: encodeURI(odd) })
      const path = `${list}/${subscription.id}`
      for (const page of [yield* readPage(buyer, list), yield* readPage(buyer, path)]) {
        assertAccessible(page)
        assert.include(page.text, "‹U+202E›evil")
        assert.notMatch(page.text, /<script>|<b onclick/)
      }
      const page = yield* readPage(buyer, path)
      const actions = formsOn(page.text).map(({ action }) => action.replace(`${path}/`, ""))
      assert.deepStrictEqual(actions, ["/workspace/sign-out", "pause", "revoke"])
      const forged = { ...formOn(page, `${path}/pause`), action: `${path}/rotate-secret` }
      const before = yield* everyRow
      const refused = yield* submit(buyer, forged, { secretVersion: "1" })
      assert.strictEqual(refused.status, 403)
      assert.include(textOn(refused), "The secret of an agent's subscription belongs to the agent")
      assert.deepStrictEqual(yield* everyRow, before)
      yield* revokeGrant(onBehalfOf(buyer.personId), agent)
      assert.include(textOn(yield* readPage(buyer, path)), "It has ended")
    })
  )

  it.effect("A webhook of a person or of their agent can be neither read nor changed by another person.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribeAsPerson(buyer, [projectId])
      yield* acceptTerms(supplier, projectId)
      yield* runWorkerPassTo(new TestReceiver())
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
