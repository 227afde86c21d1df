/** The second step of a consent: exactly what the agent may do, and with what. Nothing is chosen beforehand. */
import { h } from "preact"
import { checkbox } from "../choices.ts"
import { formTokenField, hidden, type FormState } from "../fields.ts"
import type { GrantChoices } from "../grant-choices.ts"
import { grantFields } from "../grant-form.ts"
import { untrusted } from "../html.ts"
import { page, type Viewer } from "../page.ts"
import { code, facts, linkTo, paragraph, section } from "../parts.ts"
import { roleWords } from "../words.ts"
import { connectionPath } from "./consent-choice.ts"
import { originOf, requestSection, type Asking } from "./consent-request.ts"

export const consentPath = (
  { connectionId }: Pick<Asking, "connectionId">,
  { organizationId, role }: Pick<GrantChoices, "organizationId" | "role">
): `/workspace/${string}` => `${connectionPath(connectionId)}?organizationId=${organizationId}&role=${role}`

/** What the second step shows: what was asked, what can be given, and the code as it was typed in this browser. */
export interface Consent {
  readonly asking: Asking
  readonly choices: GrantChoices
  readonly typedCode: string | undefined
}

export const consentPage = (viewer: Viewer, { asking, choices, typedCode }: Consent, state: FormState) =>
  page(
    { title: "What may this agent do?", viewer, place: "connect", problems: state.problems },
    requestSection(asking),
    h("h2", null, "Second step: what you give"),
    paragraph(
      "It would act in your name for ",
      untrusted(choices.organizationName),
      `, on the side of the ${roleWords[choices.role].toLowerCase()}. `,
      linkTo(connectionPath(asking.connectionId), "Choose again")
    ),
    h(
      "form",
      { method: "post", action: connectionPath(asking.connectionId), class: "fields", noValidate: true },
      // Enter in a field presses the first button: this one does nothing, so that nobody decides by accident.
      h("button", { type: "submit", disabled: true, hidden: true }, "Nothing"),
      formTokenField(viewer.formToken),
      hidden("organizationId", choices.organizationId),
      hidden("role", choices.role),
      grantFields(state, choices, consentPath(asking, choices)),
      section(
        "Is it your agent?",
        facts([
          ["The code you typed", typedCode === undefined ? typeAgain : code(typedCode)],
          ["The agent asked from", originOf(asking)]
        ]),
        checkbox(state, {
          name: "codeMatches",
          label: "The code I typed is the one my agent shows, and I started it just now.",
          hint: "If somebody else gave you the code, deny."
        })
      ),
      decide
    )
  )

const typeAgain = ["This browser keeps it no more. ", linkTo("/workspace/connect", "Type the code again")]

const decide = h(
  "p",
  { class: "submit" },
  h("button", { type: "submit", name: "decision", value: "APPROVE" }, "Approve"),
  " ",
  h("button", { type: "submit", name: "decision", value: "DENY", class: "quiet" }, "Deny")
)
