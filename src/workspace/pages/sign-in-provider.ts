/** The way through an OpenID Connect provider: there by a link, since browsers hold a form's redirects to this site. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { h } from "preact"
import { clearCookie, readCookie, setCookie } from "../../http/cookies.ts"
import { SignIn, unprovenSignIn } from "../../ports/sign-in.ts"
import { refusal, refuse, statusOf, type Refused } from "../../vocabulary/refusals.ts"
import { queryOf, queryText } from "../address.ts"
import { home, localPathOr, signInPath } from "../local-path.ts"
import { page, type Viewer } from "../page.ts"
import { pageRoute } from "../page-route.ts"
import { nextStep, paragraph } from "../parts.ts"
import { movedTo, pageResponse } from "../response.ts"
import { findVisitor } from "../visitor.ts"
import { beginAttempt, openAttempt } from "./sign-in-attempt.ts"
import { startSession } from "./sign-in-session.ts"

export const start = pageRoute(
  "GET",
  "/workspace/sign-in/start",
  Effect.gen(function* () {
    const query = yield* queryOf
    const provider = yield* openIdConnect
    const returnTo = localPathOr(query("returnTo"), home)
    const { attempt, sealed } = yield* beginAttempt(returnTo, query("freshly") === "on")
    return setCookie("signIn", sealed)(movedTo(yield* provider.begin(attempt)))
  })
)

/** Whatever comes back to an attempt, it is over: its cookie is cleared. The attempt of another tab goes on. */
export const callback = pageRoute(
  "GET",
  "/workspace/sign-in/callback",
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const provider = yield* openIdConnect
    const kept = yield* openAttempt(readCookie(request, "signIn"))
    const state = (yield* queryOf)("state")
    if (kept === undefined || state !== kept.attempt.state) return failed(refusal("SIGN_IN_FAILED"), home)
    const { returnTo, attempt } = kept
    return yield* startSession(provider.complete(attempt, queryText(request.url)), returnTo).pipe(
      Effect.catchTag("Refused", (refused) =>
        refused.facts.detail === unprovenSignIn
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

/** One page for a missing cookie, an old one, another browser's and an answer that is not in order. */
const failed = (refused: Refused, returnTo: string) =>
  pageResponse(
    page(
      { title: "The sign-in did not succeed" },
      refused.code === "TEMPORARILY_UNAVAILABLE"
        ? paragraph("The provider of sign-ins could not be reached. Wait a moment, and start again.")
        : paragraph(
            "It was cancelled, took longer than ten minutes, was started in another browser or overtaken by another tab, or the provider’s answer was not in order."
          ),
      paragraph("Nothing was changed. You can start again."),
      nextStep(signInPath(returnTo), "Start again")
    ),
    statusOf(refused)
  )

/** To start again would end here again. */
const unproven = (refused: Refused, returnTo: string, viewer: Viewer | undefined) =>
  pageResponse(
    page(
      { title: "The provider did not prove a new sign-in", viewer },
      paragraph(
        "What you wanted to do needs a sign-in within the last five minutes. You came back from the provider, but it did not say that you signed in there just now."
      ),
      paragraph(
        "Nothing was changed. Where this happens again, tell the operator of this site: its provider has to tell the time of a sign-in (auth_time), and to ask anew where it is told to (max_age)."
      ),
      paragraph(h("a", { href: returnTo }, "Go back to where you were"))
    ),
    statusOf(refused)
  )
