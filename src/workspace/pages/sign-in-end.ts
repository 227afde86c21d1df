/** Signing out: the session ends at once, and what was delegated goes on. */
import { Effect } from "effect"
import { clearCookie } from "../../http/cookies.ts"
import { endSession } from "../../people/sessions.ts"
import { signInPath } from "../local-path.ts"
import { page } from "../page.ts"
import { notice, paragraph, nextStep } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { signedInForm } from "../signed-in.ts"

export const signOut = signedInForm("/workspace/sign-out", ({ person }) =>
  Effect.as(
    endSession(person),
    pageResponse(signedOutPage).pipe(clearCookie("session"), clearCookie("signIn"), clearCookie("invitation"))
  )
)

const signedOutPage = page(
  { title: "You are signed out" },
  notice("done", paragraph("This session has ended. What you left open here shows nothing any more.")),
  paragraph(
    "Your agents go on: signing out takes nothing from them. To stop one, sign in and revoke its access on the page of your agents."
  ),
  paragraph("Assistants that you gave a task in this session have ended with it."),
  nextStep(signInPath(), "Sign in")
)
