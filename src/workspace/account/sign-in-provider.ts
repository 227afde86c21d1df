/**
 * Sign-in at an OpenID Connect provider, reached by a link, since `form-action` would block the redirect after a form.
 */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { h } from "preact"
import { clearCookie } from "../../http/cookies.ts"
import { SignIn, unconfirmedSignIn } from "../../ports/sign-in.ts"
import { refusal, refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { readQueryParameters, queryText } from "../kit/url-parameters.ts"
import { home, localPathOr, signInPath } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { pageRoute } from "../kit/page-route.ts"
import { nextStep, paragraph } from "../kit/parts.ts"
import { redirectTo, refusedResponse } from "../kit/response.ts"
import { findVisitor } from "../kit/visitor.ts"
import { keepAttempt, newAttempt, storedAttempt } from "./sign-in-attempt.ts"
import { startSession } from "./sign-in-session.ts"

export const startRoute = pageRoute(
  "GET",
  "/workspace/sign-in/start",
  Effect.gen(function* () {
    const query = yield* readQueryParameters
    const provider = yield* openIdConnect
    const returnTo = localPathOr(query("returnTo"), home)
    const attempt = yield* newAttempt(query("freshly") === "on")
    return yield* keepAttempt(redirectTo(yield* provider.begin(attempt)), attempt, returnTo)
  })
)

/** Completes an attempt and clears its cookie, whatever the outcome. Attempts of other tabs are unaffected. */
export const callbackRoute = pageRoute(
  "GET",
  "/workspace/sign-in/callback",
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const provider = yield* openIdConnect
    const stored = yield* storedAttempt
    const state = (yield* readQueryParameters)("state")
    if (stored === undefined || state !== stored.state) return failed(refusal("SIGN_IN_FAILED"), home)
    const { returnTo, ...attempt } = stored
    return yield* startSession(provider.complete(attempt, queryText(request.url)), returnTo).pipe(
      Effect.catchTag("Refusal", (refused) =>
        refused.facts.detail === unconfirmedSignIn
          ? Effect.map(findVisitor, (visitor) => unproven(refused, returnTo, visitor?.viewer))
          : Effect.succeed(failed(refused, returnTo))
      ),
      Effect.map(clearCookie("signIn"))
    )
  })
)

const openIdConnect = Effect.flatMap(SignIn, (signIn) =>
  signIn.kind === "OPENID_CONNECT" ? Effect.succeed(signIn) : refuse("NOT_FOUND")
)

/** One page for all failures: a missing or expired cookie, another browser's, and an invalid response. */
const failed = (refused: Refusal, returnTo: string) =>
  refusedResponse(
    page(
      { title: "The sign-in did not succeed" },
      refused.code === "TEMPORARILY_UNAVAILABLE"
        ? "The identity provider could not be reached. Wait a moment and start again."
        : "It was cancelled, took longer than ten minutes, was started in another browser or replaced by another tab, or the provider’s response was invalid.",
      "Nothing was changed. You can start again.",
      nextStep(signInPath(returnTo), "Start again")
    ),
    refused
  )

/** Starting again would lead to the same result. */
const unproven = (refused: Refusal, returnTo: string, viewer: Viewer | undefined) =>
  refusedResponse(
    page(
      { title: "The provider did not prove a new sign-in", viewer },
      "The requested action needs a sign-in within the last five minutes. The provider did not confirm that you signed in just now.",
      "Nothing was changed. If this happens again, tell the operator of this site: the provider must report the time of a sign-in (auth_time) and repeat it on request (max_age).",
      paragraph(h("a", { href: returnTo }, "Go back to the previous page"))
    ),
    refused
  )
