/** Signing in: the way that this installation has, and the ways in for those who have an invitation. */
import { Effect, Layer } from "effect"
import { SignIn } from "../../ports/sign-in.ts"
import { queryOf } from "../address.ts"
import { emptyForm } from "../fields.ts"
import { home, localPathOr } from "../local-path.ts"
import { page, type Viewer } from "../page.ts"
import { pageRoute } from "../page-route.ts"
import { linkTo, nextStep, paragraph } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { findVisitor } from "../visitor.ts"
import { passwordPage, passwordRoute } from "./sign-in-password.ts"
import { callback, start } from "./sign-in-provider.ts"
import { signOut } from "./sign-in-end.ts"

const signIn = pageRoute(
  "GET",
  "/workspace/sign-in",
  Effect.gen(function* () {
    const query = yield* queryOf
    const { kind } = yield* SignIn
    const viewer = (yield* findVisitor)?.viewer
    const returnTo = localPathOr(query("returnTo"), home)
    if (kind === "DIRECTORY") return pageResponse(passwordPage(returnTo, emptyForm, viewer))
    if (kind === "NONE") return pageResponse(nobodyPage(viewer))
    return pageResponse(providerPage(returnTo, query("freshly") === "on", viewer))
  })
)

const providerPage = (returnTo: string, freshly: boolean, viewer: Viewer | undefined) => {
  const query = new URLSearchParams({ returnTo, ...(freshly ? { freshly: "on" } : {}) })
  return page(
    { title: freshly ? "Sign in again" : "Sign in", viewer },
    freshly ? paragraph("What you want to do needs a sign-in within the last five minutes.") : null,
    paragraph("You sign in at the provider that this site trusts, and come back here."),
    nextStep(`/workspace/sign-in/start?${query}`, "Go to the provider"),
    paragraph("Were you sent an invitation? ", linkTo("/workspace/join", "Enter its code"), " first.")
  )
}

const nobodyPage = (viewer: Viewer | undefined) =>
  page(
    { title: "Nobody can sign in here", viewer },
    paragraph("This installation has no way for people to sign in yet. Its operator sets one up."),
    paragraph("Agents that were given access go on.")
  )

export const signInPages = Layer.mergeAll(signIn, passwordRoute, start, callback, signOut)
