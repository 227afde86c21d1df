/** Creation and revision of agreements while e-mail fails. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MailFailure } from "../../src/ports/mail.ts"
import { commitPreview, preview, projectIn, revisePath, termsFor } from "../support/agreement-pages.ts"
import { setEmailAddress, recordEmail } from "../support/recorded-email.ts"
import { projectPage, textOn } from "../support/project-pages.ts"
import { freshService, postgresStorage, send, testService, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { cookieOf } from "../support/workspace.ts"

const unreachable = recordEmail(Effect.fail(new MailFailure({ reason: "refused" })))
const serviceWithFailingMail = Layer.unwrap(
  Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, undefined, unreachable))
)

const failureNotice = "The e-mail that notifies the other party could not be sent."

/** The page after the redirect, requested with the cookies of the response. */
const followRedirect = Effect.fnUntraced(function* (by: { readonly token: string }, done: Answer) {
  assert.strictEqual(done.status, 303, done.text)
  const path = projectPage(projectIn(done.headers["location"]))
  const given = done.cookies.map((cookie) => cookie.split(";")[0])
  return textOn(yield* send("GET", path, { headers: { cookie: [cookieOf(by.token), ...given].join("; ") } }))
})

layer(serviceWithFailingMail, { excludeTestServices: true })("agreements whose e-mail fails", (it) => {
  it.effect("An agreement is created and revised although its e-mail fails, which the page reports once.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      yield* setEmailAddress(sam.personId, "sam@example.org")
      const shown = yield* preview(dana, yield* termsFor(sam))
      const first = yield* commitPreview(dana, shown)
      assert.include(yield* followRedirect(dana, first), failureNotice)
      // A replay commits nothing and sends no e-mail.
      assert.notInclude(yield* followRedirect(dana, yield* commitPreview(dana, shown)), failureNotice)
      const path = revisePath(projectIn(first.headers["location"]))
      const values = { ...(yield* termsFor(sam)), reason: "More time." }
      const revised = yield* commitPreview(dana, yield* preview(dana, values, path), path)
      assert.include(yield* followRedirect(dana, revised), failureNotice)
      assert.lengthOf(unreachable.sent, 2)
    })
  )
})
