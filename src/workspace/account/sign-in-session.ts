/** Creates a session for a proven identity under a new token, and redirects to `returnTo`. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { clearCookie, readCookie, setCookie } from "../../http/cookies.ts"
import { signInWithProof } from "../../people/sessions.ts"
import { readIdentity } from "../../people/profile.ts"
import type { Identity } from "../../ports/sign-in.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { seeOther } from "../kit/response.ts"
import { findVisitor } from "../kit/visitor.ts"
import { storedCode } from "./join-code.ts"

export const startSession = Effect.fnUntraced(function* <R>(
  proof: Effect.Effect<Identity, Refusal, R>,
  returnTo: string
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const current = readCookie(request, "session")
  const { token, options } = yield* signInWithProof(proof, (identity) =>
    Effect.gen(function* () {
      const isReplaced = yield* isOfAnother(identity)
      // The stored code was entered by the previously signed-in person.
      const isInvited = !isReplaced && (yield* storedCode) !== undefined
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
