/** Pages and forms of people who are signed in: the session is opened first, and a form's token checked. */
import { Effect } from "effect"
import { HttpServerRequest, type HttpRouter, type HttpServerResponse } from "effect/http"
import { readCookie } from "../http/cookies.ts"
import type { SignedIn } from "../people/human.ts"
import { openSession } from "../people/sessions.ts"
import { Secrets } from "../ports/secrets.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import { readForm, type SentForm } from "./form.ts"
import { pageRoute, type PageHandler } from "./page-route.ts"
import type { Viewer } from "./page.ts"
import { formToken, requireFormToken } from "./protection.ts"
import { refusalPage } from "./refusal-page.ts"

/** Who asks for a page, as operations and as pages know them. */
export interface Visitor {
  readonly person: SignedIn["Service"]
  readonly viewer: Viewer
}

export const signedInPage = <R>(path: HttpRouter.PathInput, show: (visitor: Visitor) => PageHandler<R>) =>
  pageRoute("GET", path, visited(show))

/** What a form of a signed-in person does. The body is read after the session was opened, and nothing is done before. */
export const signedInForm = <R>(
  path: HttpRouter.PathInput,
  take: (visitor: Visitor, sent: SentForm) => PageHandler<R>
) =>
  pageRoute(
    "POST",
    path,
    visited((visitor) =>
      Effect.gen(function* () {
        const sent = yield* readForm
        yield* requireFormToken(visitor.person.sessionId, sent.formToken)
        return yield* take(visitor, sent)
      })
    )
  )

/** Who sent this request, as their session's cookie says. */
export const openVisitor = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const secrets = yield* Secrets
  const person = yield* openSession(readCookie(request, "session"))
  return { person, viewer: { name: person.name, formToken: formToken(secrets, person.sessionId) } } satisfies Visitor
})

/** The same for pages that are for everybody: undefined where nobody is signed in. */
export const findVisitor = openVisitor.pipe(
  Effect.catchTag("Refused", (refused) =>
    refused.code === "SIGN_IN_REQUIRED" ? Effect.undefined : Effect.fail(refused)
  )
)

/** A refusal after the session was opened keeps the person's navigation around it. */
const visited = <R>(handle: (visitor: Visitor) => PageHandler<R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const visitor = yield* openVisitor
    const returnTo = request.method === "GET" ? request.url : undefined
    return yield* Effect.catchTag(
      handle(visitor),
      "Refused",
      (refused: Refused): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
        Effect.succeed(refusalPage(refused, { viewer: visitor.viewer, returnTo }))
    )
  })
