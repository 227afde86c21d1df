/** What a proven identity gives a browser: a session under a new token, and the way back to where it came from. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { clearCookie, readCookie, setCookie } from "../../http/cookies.ts"
import { signIn } from "../../people/sessions.ts"
import type { Identity } from "../../ports/sign-in.ts"
import { seeOther } from "../response.ts"
import { keptCode } from "./join-code.ts"

export const startSession = Effect.fnUntraced(function* (identity: Identity, returnTo: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const current = readCookie(request, "session")
  const isInvited = (yield* keptCode) !== undefined
  const { token } = yield* signIn(identity, { isInvited, ...(current === undefined ? {} : { current }) })
  return seeOther(returnTo).pipe(setCookie("session", token), clearCookie("signIn"))
})
