/** Joining by invitation: the code is entered, its terms are shown, and then they are accepted or left. */
import { Effect, Layer, Result, Schema } from "effect"
import { clearCookie } from "../../http/cookies.ts"
import { readInvitation } from "../../people/invitations.ts"
import { refusals } from "../../vocabulary/refusal-rules.ts"
import { emptyForm, form, textField, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { line } from "../kit/form-values.ts"
import { home, signInPath } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { publicForm, publicPage, signedInForm } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { acceptRoute } from "./join-accept.ts"
import { isInvitationCode, storeCode, storedCode } from "./join-code.ts"
import { joinPath, readInvitationContext, termsPage } from "./join-terms.ts"

const showJoin = publicPage(joinPath, function* (visitor) {
  const code = yield* storedCode
  return visitor === undefined || code === undefined
    ? codePage(visitor?.viewer, emptyForm)
    : yield* showTerms(visitor, code)
})

const showTerms = (visitor: Visitor, code: string) =>
  readInvitation(visitor.person, code).pipe(
    Effect.flatMap((invitation) =>
      Effect.flatMap(readInvitationContext(visitor, invitation, code), (context) =>
        termsPage(visitor, invitation, context, emptyForm)
      )
    ),
    Effect.catchTag("Refusal", (refused) =>
      refused.code === "INVITATION_UNKNOWN"
        ? Effect.succeed(pageResponse(codePage(visitor.viewer, unknownCode), 404).pipe(clearCookie("invitation")))
        : Effect.fail(refused)
    )
  )

/** The typed code is not echoed, since it could be valid with a correction. */
const unknownCode: FormState = { sent: {}, problems: [{ field: "code", message: refusals.INVITATION_UNKNOWN.detail }] }

const schema = Schema.Struct({ code: line("The code", 200) })

/** With or without a session: the code is kept in a cookie while the person signs in. */
const enterCode = publicForm(joinPath, function* (visitor, sent) {
  const decoded = yield* decodeForm(schema, sent)
  if (Result.isFailure(decoded)) return pageResponse(codePage(visitor?.viewer, { ...decoded.failure, sent: {} }), 400)
  const { code } = decoded.success
  if (!isInvitationCode(code)) return pageResponse(codePage(visitor?.viewer, unknownCode), 404)
  return yield* storeCode(seeOther(visitor === undefined ? signInPath(joinPath) : joinPath), code)
})

const codePage = (viewer: Viewer | undefined, state: FormState) =>
  page(
    { title: "Join by invitation", viewer, place: "join", problems: state.problems },
    "Enter the code that you received. You read the invitation before you accept it.",
    viewer === undefined ? "You sign in next; this browser stores the code meanwhile." : null,
    form(
      { action: joinPath, formToken: viewer?.formToken, submitLabel: "Continue" },
      textField(state, {
        name: "code",
        label: "Code of the invitation",
        hint: "It begins with ddi_ and works once.",
        autoCapitalize: "none"
      })
    )
  )

const leave = signedInForm({ path: `${joinPath}/leave`, shownAt: joinPath }, () =>
  Effect.succeed(seeOther(home).pipe(clearCookie("invitation")))
)

export const joinPages = Layer.mergeAll(showJoin, enterCode, acceptRoute, leave)
