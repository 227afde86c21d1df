/** Agreements that are made and revised on pages while no letter can tell the supplier. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MailFailed } from "../../src/ports/mail.ts"
import { commitShown, preview, projectIn, revisePath, termsFor } from "../support/agreement-pages.ts"
import { giveAddress, keepingLetters } from "../support/letters.ts"
import { projectPage, wordsOn } from "../support/project-pages.ts"
import { freshService, postgresStorage, send, testService, type Answer } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { cookieOf } from "../support/workspace.ts"

const unreachable = keepingLetters(Effect.fail(new MailFailed({ reason: "refused" })))
const serviceWithoutPost = Layer.unwrap(
  Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, undefined, unreachable))
)

const untold = "The letter that tells the other side of it could not be sent."

/** The page that the browser comes to, with whatever cookie it was given on the way. */
const comeTo = Effect.fnUntraced(function* (by: { readonly token: string }, done: Answer) {
  assert.strictEqual(done.status, 303, done.text)
  const path = projectPage(projectIn(done.headers["location"]))
  const given = done.cookies.map((cookie) => cookie.split(";")[0])
  return wordsOn(yield* send("GET", path, { headers: { cookie: [cookieOf(by.token), ...given].join("; ") } }))
})

layer(serviceWithoutPost, { excludeTestServices: true })("an agreement of which no letter can tell", (it) => {
  it.effect("is made and revised, and its person is told to tell", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const sam = yield* signInAnew("Sam")
      yield* giveAddress(sam.personId, "sam@example.org")
      const shown = yield* preview(dana, yield* termsFor(sam))
      const first = yield* commitShown(dana, shown)
      assert.include(yield* comeTo(dana, first), untold)
      // Sent again, nothing is done and nobody is written to.
      assert.notInclude(yield* comeTo(dana, yield* commitShown(dana, shown)), untold)
      const path = revisePath(projectIn(first.headers["location"]))
      const values = { ...(yield* termsFor(sam)), reason: "More time." }
      const revised = yield* commitShown(dana, yield* preview(dana, values, path), path)
      assert.include(yield* comeTo(dana, revised), untold)
      assert.lengthOf(unreachable.sent, 2)
    })
  )
})
