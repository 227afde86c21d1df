/** Connecting an agent starts with its code, typed by the person and never taken from a URL. */
import { Effect, Layer, Result, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { enterUserCode } from "../../access/approval.ts"
import { clientAddress } from "../../http/transport.ts"
import { statusOf } from "../../vocabulary/refusals.ts"
import { emptyForm, form, textField, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { line } from "../kit/form-values.ts"
import { page, type Viewer } from "../kit/page.ts"
import { notice, paragraph } from "../kit/parts.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import { keepTypedCode } from "./connect-code.ts"

const path = "/workspace/connect"

const showConnect = signedInPage(path, ({ viewer }) => Effect.succeed(pageResponse(connectPage(viewer, emptyForm))))

const schema = Schema.Struct({ code: line("The code", 40) })

const enter = signedInForm(path, ({ person, viewer }, sent) =>
  Effect.gen(function* () {
    const decoded = yield* decodeForm(schema, sent)
    if (Result.isFailure(decoded)) return pageResponse(connectPage(viewer, decoded.failure), 400)
    const entered = enterUserCode(person, decoded.success.code, yield* clientAddress)
    return yield* entered.pipe(
      Effect.flatMap(({ connectionId }) =>
        keepTypedCode(seeOther(`/workspace/connections/${connectionId}`), decoded.success.code, connectionId)
      ),
      Effect.catchTag("Refusal", (refused) => {
        const message = messages[refused.code]
        if (message === undefined) return Effect.fail(refused)
        const html = connectPage(viewer, { sent: sent.fields, problems: [{ field: "code", message }] })
        const { retryAfter } = refused.facts
        const response = pageResponse(html, statusOf(refused))
        return Effect.succeed(
          retryAfter === undefined
            ? response
            : HttpServerResponse.setHeader(response, "retry-after", String(retryAfter))
        )
      })
    )
  })
)

/** One message for mistyped, expired and used codes, so that they cannot be distinguished. */
const messages: { readonly [code: string]: string } = {
  USER_CODE_UNKNOWN:
    "Invalid or expired code: it is mistyped, older than ten minutes, or was entered in another session. Compare it with the one that the agent shows, or let the agent start again.",
  TOO_MANY_ATTEMPTS: "Too many wrong codes were entered. Wait ten minutes, then let the agent start again."
}

const connectPage = (viewer: Viewer, state: FormState) =>
  page(
    { title: "Connect an agent", viewer, place: "connect", problems: state.problems },
    paragraph("Your agent shows a code of eight letters. Type it here to see what the agent asks for."),
    notice(
      "warning",
      paragraph(
        "Enter only a code that your own agent shows you right now. A person who sends you a code, in a message, on a page or on the phone, wants access to your data."
      )
    ),
    form(
      { action: path, formToken: viewer.formToken, submitLabel: "Continue" },
      textField(state, {
        name: "code",
        label: "Code",
        hint: "Such as BCDF-GHJK. Lower case and omitting the hyphen are accepted.",
        size: "code",
        autoCapitalize: "characters"
      })
    ),
    paragraph("Nothing is given to the agent until you have seen what it asks for and approved it.")
  )

export const connectPages = Layer.mergeAll(showConnect, enter)
