/** The signed-in person behind a request, for operations and for pages. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { readCookie } from "../../http/cookies.ts"
import type { SignedInPerson } from "../../people/acting-person.ts"
import { openSession } from "../../people/sessions.ts"
import { Secrets } from "../../ports/secrets.ts"
import type { Viewer } from "./page.ts"
import { formToken } from "./csrf.ts"

export interface Visitor {
  readonly person: SignedInPerson["Service"]
  readonly viewer: Viewer
}

/** Opens the session of the request's cookie. */
export const openVisitor = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const secrets = yield* Secrets
  const person = yield* openSession(readCookie(request, "session"))
  return { person, viewer: { name: person.name, formToken: formToken(secrets, person.sessionId) } } satisfies Visitor
})

/** The same for public pages: undefined where no person is signed in. */
export const findVisitor = openVisitor.pipe(
  Effect.catchTag("Refusal", (refused) =>
    refused.code === "SIGN_IN_REQUIRED" ? Effect.undefined : Effect.fail(refused)
  )
)
