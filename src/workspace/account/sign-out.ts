/** Signing out ends the session at once; delegated grants remain in force. */
import { clearCookie } from "../../http/cookies.ts"
import { endSession } from "../../people/sessions.ts"
import { SignIn } from "../../ports/sign-in.ts"
import { home, signInPath } from "../kit/local-path.ts"
import { page } from "../kit/page.ts"
import { notice, nextStep } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"

export const signOut = signedInForm({ path: "/workspace/sign-out", shownAt: home }, function* ({ person }) {
  yield* endSession(person)
  const { kind } = yield* SignIn
  return pageResponse(signedOutPage(kind === "OPENID_CONNECT")).pipe(
    clearCookie("session"),
    clearCookie("signIn"),
    clearCookie("invitation"),
    clearCookie("specification")
  )
})

const signedOutPage = (hasProvider: boolean) =>
  page(
    { title: "You are signed out" },
    notice("done", "This session has ended. Pages that are still open can no longer be used."),
    "Your agents continue: signing out does not affect them. To stop one, sign in and revoke its access on the page of your agents.",
    "Assistants that you gave a task in this session have ended with it.",
    hasProvider
      ? "You may still be signed in at the provider: the next person who uses this browser could then sign in as you. Sign out there too if you share this browser."
      : null,
    nextStep(signInPath(), "Sign in")
  )
