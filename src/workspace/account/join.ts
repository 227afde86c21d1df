/** Joining by invitation: the code is entered, its terms are shown, and then they are accepted or left. */
import { Effect, Layer, Result, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { clearCookie } from "../../http/cookies.ts"
import { readInvitation } from "../../people/invitations.ts"
import { refusals } from "../../vocabulary/refusal-rules.ts"
import { emptyForm, form, textField, type FormState } from "../kit/fields.ts"
import { decodeForm, readForm } from "../kit/form.ts"
import { line } from "../kit/form-values.ts"
import { home, signInPath } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { pageRoute } from "../kit/page-route.ts"
import { paragraph } from "../kit/parts.ts"
import { requireFormToken } from "../kit/csrf.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { findVisitor, type Visitor } from "../kit/visitor.ts"
import { acceptRoute } from "./join-accept.ts"
import { isInvitationCode, storeCode, storedCode } from "./join-code.ts"
import { joinPath, readInvitationContext, termsPage } from "./join-terms.ts"

const showJoin = pageRoute(
  "GET",
  joinPath,
  Effect.gen(function* () {
    const visitor = yield* findVisitor
    const code = yield* storedCode
    if (visitor === undefined || code === undefined) return pageResponse(codePage(visitor?.viewer, emptyForm))
    return yield* showTerms(visitor, code)
  })
)

const showTerms = Effect.fnUntraced(function* (visitor: Visitor, code: string) {
  const { person, viewer } = visitor
  return yield* readInvitation(person, code).pipe(
    Effect.flatMap((invitation) =>
      Effect.flatMap(readInvitationContext(visitor, invitation, code), (around) =>
        termsPage(visitor, invitation, around, emptyForm)
      )
    ),
    Effect.map((html): HttpServerResponse.HttpServerResponse => pageResponse(html)),
    Effect.catchTag("Refusal", (refused) =>
      refused.code === "INVITATION_UNKNOWN"
        ? Effect.succeed(pageResponse(codePage(viewer, unknownCode), 404).pipe(clearCookie("invitation")))
        : Effect.fail(refused)
    )
  )
})

/** The typed code is not echoed, since it could be valid with a correction. */
const unknownCode: FormState = { sent: {}, problems: [{ field: "code", message: refusals.INVITATION_UNKNOWN.detail }] }

const schema = Schema.Struct({ code: line("The code", 200) })

/** With or without a session: the code is kept in a cookie while the person signs in. */
const enterCode = pageRoute(
  "POST",
  joinPath,
  Effect.gen(function* () {
    const visitor = yield* findVisitor
    const sent = yield* readForm
    if (visitor !== undefined) yield* requireFormToken(visitor.person.sessionId, sent.formToken)
    const decoded = yield* decodeForm(schema, sent)
    if (Result.isFailure(decoded)) return pageResponse(codePage(visitor?.viewer, { ...decoded.failure, sent: {} }), 400)
    const { code } = decoded.success
    if (!isInvitationCode(code)) return pageResponse(codePage(visitor?.viewer, unknownCode), 404)
    return yield* storeCode(seeOther(visitor === undefined ? signInPath(joinPath) : joinPath), code)
  })
)

const codePage = (viewer: Viewer | undefined, state: FormState) =>
  page(
    { title: "Join by invitation", viewer, place: "join", problems: state.problems },
    paragraph("Enter the code that you received. You read the invitation before you accept it."),
    viewer === undefined ? paragraph("You sign in next; this browser stores the code meanwhile.") : null,
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
