/** Stale, forged and late command forms. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { cookieNames } from "../../src/http/cookies.ts"
import { MailFailure } from "../../src/ports/mail.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { cookieFrom } from "../support/forms.ts"
import { setEmailAddress, recordEmail } from "../support/recorded-email.ts"
import { encode, formsOn, postRaw, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { uuid } from "../support/parties.ts"
import {
  createAgreementAsPerson,
  runToDelivered,
  runToLocked,
  signatureBy,
  type Pair
} from "../support/person-commands.ts"
import {
  eventsOf,
  pageInputs,
  withNewRequestId,
  actSuccessfully,
  openAct,
  projectPage,
  stateOf,
  textOn
} from "../support/project-pages.ts"
import { freshService, freshTestService, postgresStorage, send, testService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { cookieOf } from "../support/workspace.ts"

const hostile = `</p><script>alert(1)</script><b onclick=x>\u202e"&amp;`
const inert = "&lt;/p>&lt;script>alert(1)&lt;/script>&lt;b onclick=x>‹U+202E›"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

layer(freshTestService, { excludeTestServices: true })("command forms", (it) => {
  it.effect("A form that was shown before the project changed is refused with 409 and shows the changes.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToDelivered(both)
      const form = yield* openAct(buyer, projectId, "review")
      yield* actSuccessfully(supplier, projectId, "date-revision", { reason: "<i>Later</i>" })
      const events = yield* eventsOf(buyer, projectId)
      const stale = yield* submit(buyer, form, { ...pageInputs.review, reason: `Mine ${hostile}` })
      assert.deepStrictEqual([stale.status, accessibilityFaults(stale.text)], [409, []])
      const words = textOn(stale)
      for (const expected of [
        "The project has changed meanwhile",
        "Nothing was done",
        "Sam for the supplier requested another date for the review",
        "&lt;i>Later&lt;/i>",
        `Mine ${inert}`,
        "Revise the terms with other dates"
      ]) {
        assert.include(words, expected)
      }
      // The first delivery is omitted, since the person has already seen it.
      assert.notInclude(words, "delivered, naming")
      assert.notMatch(stale.text, /<script>|\u202e/)
      assert.include(words, "Review the delivery is not possible now: Another date was requested")
      assert.strictEqual(yield* eventsOf(buyer, projectId), events)
      // An invalid stale form has no effect either.
      const empty = yield* submit(buyer, form)
      assert.deepStrictEqual([empty.status, textOn(empty).includes("The project has changed meanwhile")], [409, true])
    })
  )

  it.effect("A stale form links to its page where the command is still available.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToLocked(both, { signing: signatureBy(buyer, supplier, "NATIVE", yield* now) })
      const form = yield* openAct(buyer, projectId, "sign")
      yield* actSuccessfully(supplier, projectId, "sign", { signed: "on" })
      const stale = yield* submit(buyer, form, { signed: "on" })
      assert.strictEqual(stale.status, 409)
      assert.include(textOn(stale), "Sam for the supplier signed the agreement")
      assert.include(stale.text, `href="${projectPage(projectId, "sign")}"`)
      yield* actSuccessfully(buyer, projectId, "sign", { signed: "on" })
    })
  )

  it.effect("Two windows of one page run a command once.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* createAgreementAsPerson(both.buyer, both.supplier)
      const form = yield* openAct(both.supplier, projectId, "respond")
      const [one, other] = yield* Effect.all(
        [form, withNewRequestId(form, uuid())].map((shown) => submit(both.supplier, shown, pageInputs.respond)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([one!.status, other!.status].sort(), [303, 409])
      assert.strictEqual(yield* eventsOf(both.buyer, projectId), 2)
    })
  )

  it.effect("A command form is refused to the other party, to unrelated persons, and without its state.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const outsider = yield* signInNewPerson("Kim")
      const projectId = yield* runToDelivered(both)
      const form = yield* openAct(buyer, projectId, "review")
      for (const by of [supplier, outsider]) {
        const [own] = formsOn((yield* readPage(by, "/workspace/projects")).text)
        const forged = { ...form, hidden: { ...form.hidden, ...own!.hidden } }
        assert.strictEqual((yield* submit(by, forged, pageInputs.review)).status, 403)
      }
      for (const name of Object.keys(form.hidden)) {
        const { [name]: _, ...rest } = form.hidden
        const without = yield* submit(buyer, { ...form, hidden: rest }, pageInputs.review)
        assert.oneOf(without.status, [400, 403, 409], name)
        const twice = `${encode({ ...form.hidden, ...pageInputs.review })}&${encode({ [name]: form.hidden[name]! })}`
        assert.oneOf((yield* postRaw(buyer, form.action, twice)).status, [400, 403], name)
      }
      const more = yield* submit(buyer, form, { ...pageInputs.review, other: "1" })
      assert.strictEqual(more.status, 400)
      assert.strictEqual(yield* stateOf(buyer, projectId), "SUBMITTED")
      yield* actSuccessfully(buyer, projectId, "review", pageInputs.review)
    })
  )

  it.effect("A passed deadline is stated on the project's page and in the refusal of its command.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const today = yield* now
      const signing = {
        ...signatureBy(both.buyer, both.supplier, "NATIVE", today),
        agreementSignBy: addMilliseconds(today, 1_500)
      }
      const projectId = yield* runToLocked(both, { signing })
      const form = yield* openAct(both.buyer, projectId, "sign")
      yield* Effect.sleep("1600 millis")
      const shown = yield* readPage(both.buyer, projectPage(projectId))
      assert.include(textOn(shown), "Sign the agreement: The agreed date for the signature has passed")
      const late = yield* submit(both.buyer, form, { signed: "on" })
      assert.strictEqual(late.status, 409)
      assert.include(textOn(late), "The deadline was")
      assert.deepStrictEqual(accessibilityFaults(late.text), [])
    })
  )
})

const unreachable = recordEmail(Effect.fail(new MailFailure({ reason: "refused" })))
const serviceWithFailingMail = Layer.unwrap(
  Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, undefined, unreachable))
)

layer(serviceWithFailingMail, { excludeTestServices: true })("commands whose e-mail fails", (it) => {
  it.effect("A command whose e-mail fails is committed, and the page reports the failure once, to its caller.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* createAgreementAsPerson(both.buyer, both.supplier)
      yield* setEmailAddress(both.buyer.personId, "dana@example.org")
      const form = yield* openAct(both.supplier, projectId, "respond")
      const done = yield* submit(both.supplier, form, pageInputs.respond)
      assert.deepStrictEqual([done.status, done.headers["location"]], [303, projectPage(projectId)])
      assert.lengthOf(unreachable.sent, 1)
      const kept = `${cookieNames.notice}=${cookieFrom(done, "notice")}`
      const withKept = ({ token }: Pair["buyer"], path: string) =>
        send("GET", path, { headers: { cookie: `${cookieOf(token)}; ${kept}` } })
      const page = yield* withKept(both.supplier, projectPage(projectId))
      assert.strictEqual(cookieFrom(page, "notice"), "")
      assert.notInclude(textOn(yield* withKept(both.buyer, projectPage(projectId))), "could not be sent")
      const elsewhere = yield* createAgreementAsPerson(both.buyer, both.supplier)
      assert.notInclude(textOn(yield* withKept(both.supplier, projectPage(elsewhere))), "could not be sent")
      assert.notInclude(textOn(yield* readPage(both.supplier, projectPage(projectId))), "could not be sent")
      assert.include(textOn(page), "The e-mail that notifies the other party could not be sent.")
      assert.include(textOn(page), "Both parties agreed on the")
      const again = yield* submit(both.supplier, form, pageInputs.respond)
      assert.deepStrictEqual([again.headers["location"], again.cookies], [projectPage(projectId), []])
    })
  )
})
