/** Signing in by the configured method. */
import { Layer } from "effect"
import { SignIn } from "../../ports/sign-in.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { emptyForm } from "../kit/fields.ts"
import { home, localPathOr } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { linkTo, nextStep, paragraph } from "../kit/parts.ts"
import { publicPage } from "../kit/signed-in.ts"
import { passwordPage, passwordRoute } from "./sign-in-password.ts"
import { callbackRoute, startRoute } from "./sign-in-provider.ts"
import { signOut } from "./sign-out.ts"

const signIn = publicPage("/workspace/sign-in", function* (visitor) {
  const query = yield* readQueryParameters
  const { kind } = yield* SignIn
  const viewer = visitor?.viewer
  const returnTo = localPathOr(query("returnTo"), home)
  if (kind === "DIRECTORY") return passwordPage(returnTo, emptyForm, viewer)
  return kind === "NONE" ? unavailablePage(viewer) : providerPage(returnTo, query("freshly") === "on", viewer)
})

const providerPage = (returnTo: string, freshly: boolean, viewer: Viewer | undefined) => {
  const query = new URLSearchParams({ returnTo, ...(freshly ? { freshly: "on" } : {}) })
  return page(
    { title: freshly ? "Sign in again" : "Sign in", viewer },
    freshly ? "The requested action needs a sign-in within the last five minutes." : null,
    "You sign in at the identity provider of this site and return here afterwards.",
    nextStep(`/workspace/sign-in/start?${query}`, "Go to the provider"),
    paragraph("Were you sent an invitation? ", linkTo("/workspace/join", "Enter its code"), " first.")
  )
}

const unavailablePage = (viewer: Viewer | undefined) =>
  page(
    { title: "Sign-in is not configured", viewer },
    "People cannot sign in to this installation yet. Its operator has to configure a sign-in method.",
    "Agents with access are not affected."
  )

export const signInPages = Layer.mergeAll(signIn, passwordRoute, startRoute, callbackRoute, signOut)
