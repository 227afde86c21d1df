/** What a proven identity gives a browser: a session under a new token, and the way back to where it came from. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { clearCookie, readCookie, setCookie } from "../../http/cookies.ts"
import { signInProven } from "../../people/sessions.ts"
import { readIdentity } from "../../people/standing.ts"
import type { Identity } from "../../ports/sign-in.ts"
import type { Refused } from "../../vocabulary/refusals.ts"
import { seeOther } from "../response.ts"
import { findVisitor } from "../visitor.ts"
import { keptCode } from "./join-code.ts"

export const startSession = Effect.fnUntraced(function* <R>(
  proof: Effect.Effect<Identity, Refused, R>,
  returnTo: string
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const current = readCookie(request, "session")
  const { token, options } = yield* signInProven(proof, (identity) =>
    Effect.gen(function* () {
      const isReplaced = yield* isOfAnother(identity)
      // The code that waits here was entered by whoever was signed in.
      const isInvited = !isReplaced && (yield* keptCode) !== undefined
      return { isInvited, isReplaced, ...(current === undefined ? {} : { current }) }
    })
  )
  const started = seeOther(returnTo).pipe(setCookie("session", token), clearCookie("signIn"))
  return options.isReplaced ? clearCookie("invitation")(started) : started
})

/** True where this browser has a session of another person. */
const isOfAnother = Effect.fnUntraced(function* ({ issuer, subject }: Identity) {
  const visitor = yield* findVisitor
  if (visitor === undefined) return false
  const before = yield* readIdentity(visitor.person)
  return before.issuer !== issuer || before.subject !== subject
})
