/** Signing out: the session ends at once, and what was delegated goes on. */
import { Effect } from "effect"
import { clearCookie } from "../../http/cookies.ts"
import { endSession } from "../../people/sessions.ts"
import { SignIn } from "../../ports/sign-in.ts"
import { home, signInPath } from "../local-path.ts"
import { page } from "../page.ts"
import { notice, paragraph, nextStep } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { signedInForm } from "../signed-in.ts"

export const signOut = signedInForm({ path: "/workspace/sign-out", shownAt: home }, ({ person }) =>
  Effect.gen(function* () {
    yield* endSession(person)
    const { kind } = yield* SignIn
    return pageResponse(signedOutPage(kind === "OPENID_CONNECT")).pipe(
      clearCookie("session"),
      clearCookie("signIn"),
      clearCookie("invitation"),
      clearCookie("specification")
    )
  })
)

const signedOutPage = (hasProvider: boolean) =>
  page(
    { title: "You are signed out" },
    notice("done", paragraph("This session has ended. What you left open here shows nothing any more.")),
    paragraph(
      "Your agents go on: signing out takes nothing from them. To stop one, sign in and revoke its access on the page of your agents."
    ),
    paragraph("Assistants that you gave a task in this session have ended with it."),
    hasProvider
      ? paragraph(
          "You may still be signed in at the provider: then whoever uses this browser next can sign in here as you. Sign out there too on a browser that you share."
        )
      : null,
    nextStep(signInPath(), "Sign in")
  )
