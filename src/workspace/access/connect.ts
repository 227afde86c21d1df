/** Connecting an agent starts with its code, typed by the person and never taken from a URL. */
import { Effect, Schema } from "effect"
import { enterUserCode } from "../../access/approval.ts"
import { clientAddress } from "../../http/transport.ts"
import { form, textField, type FormState } from "../kit/fields.ts"
import { formPage } from "../kit/form-page.ts"
import { decodeForm } from "../kit/form.ts"
import { line } from "../kit/form-values.ts"
import { page, type Viewer } from "../kit/page.ts"
import { notice } from "../kit/parts.ts"
import { seeOther } from "../kit/response.ts"
import { keepTypedCode } from "./connect-code.ts"

const path = "/workspace/connect"

const schema = Schema.Struct({ code: line("The code", 40) })

export const connectPages = formPage(path, {
  read: () => Effect.void,
  decode: (sent) => decodeForm(schema, sent),
  show: ({ viewer }, _, { state }) => Effect.succeed(connectPage(viewer, state)),
  run: ({ visitor: { person }, values: { code } }) =>
    Effect.gen(function* () {
      const { connectionId } = yield* enterUserCode(person, code, yield* clientAddress)
      return yield* keepTypedCode(seeOther(`/workspace/connections/${connectionId}`), code, connectionId)
    }),
  // One message for mistyped, expired and used codes, so that they cannot be distinguished.
  refusedAt: {
    USER_CODE_UNKNOWN: {
      field: "code",
      message:
        "Invalid or expired code: it is mistyped, older than ten minutes, or was entered in another session. Compare it with the one that the agent shows, or let the agent start again."
    },
    TOO_MANY_ATTEMPTS: {
      field: "code",
      message: "Too many wrong codes were entered. Wait ten minutes, then let the agent start again."
    }
  }
})

const connectPage = (viewer: Viewer, state: FormState) =>
  page(
    { title: "Connect an agent", viewer, place: "connect", problems: state.problems },
    "Your agent shows a code of eight letters. Type it here to see what the agent asks for.",
    notice(
      "warning",
      "Enter only a code that your own agent shows you right now. A person who sends you a code, in a message, on a page or on the phone, wants access to your data."
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
    "Nothing is given to the agent until you have seen what it asks for and approved it."
  )
