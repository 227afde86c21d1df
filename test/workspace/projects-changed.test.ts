/** Forms of acts that were shown before the project changed, that are forged, or that come too late. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { cookieNames } from "../../src/http/cookies.ts"
import { MailFailed } from "../../src/ports/mail.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { cookieFrom } from "../support/forms.ts"
import { giveAddress, keepingLetters } from "../support/letters.ts"
import { encode, formsOn, postRaw, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { uuid } from "../support/parties.ts"
import { agreeing, delivered, locked, signingBy, type Pair } from "../support/person-commands.ts"
import {
  eventsOf,
  filled,
  formAgain,
  mustAct,
  openAct,
  projectPage,
  stateOf,
  wordsOn
} from "../support/project-pages.ts"
import { freshService, freshTestService, postgresStorage, send, testService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { cookieOf } from "../support/workspace.ts"

const hostile = `</p><script>alert(1)</script><b onclick=x>\u202e"&amp;`
const inert = "&lt;/p>&lt;script>alert(1)&lt;/script>&lt;b onclick=x>‹U+202E›"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") } satisfies Pair
})

layer(freshTestService, { excludeTestServices: true })("a form of an act", (it) => {
  it.effect("that was shown before the project changed does nothing, and shows what is new", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* delivered(both)
      const form = yield* openAct(buyer, projectId, "review")
      yield* mustAct(supplier, projectId, "date-revision", { reason: "<i>Later</i>" })
      const events = yield* eventsOf(buyer, projectId)
      const stale = yield* submit(buyer, form, { ...filled.review, reason: `Mine ${hostile}` })
      assert.deepStrictEqual([stale.status, faultsOf(stale.text)], [409, []])
      const words = wordsOn(stale)
      for (const said of [
        "The project has changed meanwhile",
        "Nothing was done",
        "Sam for the supplier asked for another date for the review",
        "&lt;i>Later&lt;/i>",
        `Mine ${inert}`,
        "Revise the terms with other dates"
      ]) {
        assert.include(words, said)
      }
      // What was delivered first is told no more: the person has seen it.
      assert.notInclude(words, "delivered, naming")
      assert.notMatch(stale.text, /<script|\u202e/)
      assert.include(words, "Review the delivery is not possible now: Another date was asked for")
      assert.strictEqual(yield* eventsOf(buyer, projectId), events)
      // Nor does a form of it that no longer fits.
      const empty = yield* submit(buyer, form)
      assert.deepStrictEqual([empty.status, wordsOn(empty).includes("The project has changed meanwhile")], [409, true])
    })
  )

  it.effect("that was shown before leads to the same page again where the act is still open", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* locked(both, { signing: signingBy(buyer, supplier, "NATIVE", yield* now) })
      const form = yield* openAct(buyer, projectId, "sign")
      yield* mustAct(supplier, projectId, "sign", { signed: "on" })
      const stale = yield* submit(buyer, form, { signed: "on" })
      assert.strictEqual(stale.status, 409)
      assert.include(wordsOn(stale), "Sam for the supplier signed the agreement")
      assert.include(stale.text, `href="${projectPage(projectId, "sign")}"`)
      yield* mustAct(buyer, projectId, "sign", { signed: "on" })
    })
  )

  it.effect("has its effect once in two windows of one page", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* agreeing(both.buyer, both.supplier)
      const form = yield* openAct(both.supplier, projectId, "respond")
      const [one, other] = yield* Effect.all(
        [form, formAgain(form, uuid())].map((shown) => submit(both.supplier, shown, filled.respond)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([one!.status, other!.status].sort(), [303, 409])
      assert.strictEqual(yield* eventsOf(both.buyer, projectId), 2)
    })
  )

  it.effect("is refused to the other side, to strangers, and without what was shown", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const stranger = yield* signInAnew("Kim")
      const projectId = yield* delivered(both)
      const form = yield* openAct(buyer, projectId, "review")
      for (const by of [supplier, stranger]) {
        const [own] = formsOn((yield* readPage(by, "/workspace/projects")).text)
        const forged = { ...form, hidden: { ...form.hidden, ...own!.hidden } }
        assert.strictEqual((yield* submit(by, forged, filled.review)).status, 403)
      }
      for (const name of Object.keys(form.hidden)) {
        const { [name]: _, ...rest } = form.hidden
        const without = yield* submit(buyer, { ...form, hidden: rest }, filled.review)
        assert.oneOf(without.status, [400, 403, 409], name)
        const twice = `${encode({ ...form.hidden, ...filled.review })}&${encode({ [name]: form.hidden[name]! })}`
        assert.oneOf((yield* postRaw(buyer, form.action, twice)).status, [400, 403], name)
      }
      const more = yield* submit(buyer, form, { ...filled.review, other: "1" })
      assert.strictEqual(more.status, 400)
      assert.strictEqual(yield* stateOf(buyer, projectId), "SUBMITTED")
      yield* mustAct(buyer, projectId, "review", filled.review)
    })
  )

  it.effect("tells of a date that has passed, beside how the project stands", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const today = yield* now
      const signing = {
        ...signingBy(both.buyer, both.supplier, "NATIVE", today),
        agreementSignBy: addMilliseconds(today, 1_500)
      }
      const projectId = yield* locked(both, { signing })
      const form = yield* openAct(both.buyer, projectId, "sign")
      yield* Effect.sleep("1600 millis")
      const shown = yield* readPage(both.buyer, projectPage(projectId))
      assert.include(wordsOn(shown), "Sign the agreement: The agreed date for the signature has passed")
      const late = yield* submit(both.buyer, form, { signed: "on" })
      assert.strictEqual(late.status, 409)
      assert.include(wordsOn(late), "The date was")
      assert.deepStrictEqual(faultsOf(late.text), [])
    })
  )
})

const unreachable = keepingLetters(Effect.fail(new MailFailed({ reason: "refused" })))
const serviceWithoutPost = Layer.unwrap(
  Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, undefined, unreachable))
)

layer(serviceWithoutPost, { excludeTestServices: true })("an act of which no letter can tell", (it) => {
  it.effect("is done, and its person is told to tell", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* agreeing(both.buyer, both.supplier)
      yield* giveAddress(both.buyer.personId, "dana@example.org")
      const form = yield* openAct(both.supplier, projectId, "respond")
      const done = yield* submit(both.supplier, form, filled.respond)
      assert.deepStrictEqual([done.status, done.headers["location"]], [303, projectPage(projectId)])
      assert.lengthOf(unreachable.sent, 1)
      const kept = `${cookieNames.untold}=${cookieFrom(done, "untold")}`
      const withKept = ({ token }: Pair["buyer"], path: string) =>
        send("GET", path, { headers: { cookie: `${cookieOf(token)}; ${kept}` } })
      const page = yield* withKept(both.supplier, projectPage(projectId))
      assert.strictEqual(cookieFrom(page, "untold"), "")
      assert.notInclude(wordsOn(yield* withKept(both.buyer, projectPage(projectId))), "could not be sent")
      const elsewhere = yield* agreeing(both.buyer, both.supplier)
      assert.notInclude(wordsOn(yield* withKept(both.supplier, projectPage(elsewhere))), "could not be sent")
      assert.notInclude(wordsOn(yield* readPage(both.supplier, projectPage(projectId))), "could not be sent")
      assert.include(wordsOn(page), "The letter that tells the other side of it could not be sent.")
      assert.include(wordsOn(page), "Both sides agreed on the terms")
      const again = yield* submit(both.supplier, form, filled.respond)
      assert.deepStrictEqual([again.headers["location"], again.cookies], [projectPage(projectId), []])
    })
  )
})
