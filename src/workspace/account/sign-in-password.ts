/** Sign-in with a name and a password of the local directory. */
import { Effect, Result, Schema } from "effect"
import { clientAddress } from "../../http/transport.ts"
import { checkPassword } from "../../people/passwords.ts"
import { SignIn } from "../../ports/sign-in.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { RefusalCode } from "../../vocabulary/refusal-rules.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { form, hidden, textField, type FormState } from "../kit/fields.ts"
import { decodeForm, readForm } from "../kit/form.ts"
import { line, optionalLine, password } from "../kit/form-values.ts"
import { home, localPathOr } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { pageRoute } from "../kit/page-route.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { pageResponse, refusedResponse } from "../kit/response.ts"
import { startSession } from "./sign-in-session.ts"

const schema = Schema.Struct({
  name: line("The name", limits.titleCharacters),
  password: password("The password", limits.passwordCharactersMost),
  returnTo: Schema.optionalKey(optionalLine("The way back", 2000))
})

/** Without a session there is no CSRF token: the browser's origin headers protect this form. */
export const passwordRoute = pageRoute(
  "POST",
  "/workspace/sign-in",
  Effect.gen(function* () {
    const directory = yield* SignIn
    if (directory.kind !== "DIRECTORY") return yield* refuse("NOT_FOUND")
    const sent = yield* readForm
    const decoded = yield* decodeForm(schema, sent)
    const given = sent.fields["returnTo"]
    const returnTo = localPathOr(typeof given === "string" ? given : undefined, home)
    if (Result.isFailure(decoded)) return pageResponse(passwordPage(returnTo, decoded.failure, undefined), 400)
    const address = yield* clientAddress
    return yield* startSession(checkPassword(directory, { ...decoded.success, address }), returnTo).pipe(
      Effect.catchTag("Refusal", (refused) => {
        const message = messages[refused.code]
        if (message === undefined) return Effect.fail(refused)
        const state = { sent: sent.fields, problems: [{ field: "name", message }] }
        return Effect.succeed(refusedResponse(passwordPage(returnTo, state, undefined), refused))
      })
    )
  })
)

const messages: { readonly [C in RefusalCode]?: string } = {
  SIGN_IN_FAILED: "The name or the password is wrong.",
  TOO_MANY_ATTEMPTS: "Too many wrong passwords were tried. Wait ten minutes, then try again."
}

export const passwordPage = (returnTo: string, state: FormState, viewer: Viewer | undefined) =>
  page(
    { title: viewer === undefined ? "Sign in" : "Sign in again", viewer, problems: state.problems },
    form(
      { action: "/workspace/sign-in", submitLabel: "Sign in" },
      returnTo === home ? null : hidden("returnTo", returnTo),
      textField(state, { name: "name", label: "Name", autocomplete: "username", autoCapitalize: "none" }),
      textField(state, { name: "password", label: "Password", type: "password", autocomplete: "current-password" })
    ),
    paragraph("Were you sent an invitation? ", linkTo("/workspace/join", "Enter its code"), " first.")
  )
