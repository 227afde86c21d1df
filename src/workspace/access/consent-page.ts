/** The second step of a consent: the exact scope of the agent. Nothing is preselected. */
import { h } from "preact"
import { checkbox } from "../kit/choices.ts"
import { formTokenField, hidden, type FormState } from "../kit/fields.ts"
import { untrusted } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { code, facts, linkTo, paragraph, section } from "../kit/parts.ts"
import { roleLabels } from "../kit/labels.ts"
import type { GrantChoices, OrganizationRole } from "./grant-choices.ts"
import { grantFields } from "./grant-form.ts"
import { connectionPath } from "./consent-choice.ts"
import { originOf, requestSection, type ConnectionRequest } from "./consent-request.ts"

export const consentPath = (
  { connectionId }: Pick<ConnectionRequest, "connectionId">,
  { organizationId, role }: OrganizationRole
): `/workspace/${string}` => `${connectionPath(connectionId)}?organizationId=${organizationId}&role=${role}`

/** The data of the second step: the request, the options, and the code typed in this browser. */
export interface Consent {
  readonly connection: ConnectionRequest
  readonly choices: GrantChoices
  readonly typedCode: string | undefined
}

export const consentPage = (viewer: Viewer, { connection, choices, typedCode }: Consent, state: FormState) =>
  page(
    { title: "What may this agent do?", viewer, place: "connect", problems: state.problems },
    requestSection(connection),
    h("h2", null, "Second step: the access that you grant"),
    paragraph(
      "It would act in your name for ",
      untrusted(choices.organizationName),
      `, in the role of ${roleLabels[choices.role].toLowerCase()}. `,
      linkTo(connectionPath(connection.connectionId), "Choose again")
    ),
    h(
      "form",
      { method: "post", action: connectionPath(connection.connectionId), class: "fields", noValidate: true },
      // Implicit submission presses the first button: this disabled one prevents an accidental decision.
      h("button", { type: "submit", disabled: true, hidden: true }, "Nothing"),
      formTokenField(viewer.formToken),
      hidden("organizationId", choices.organizationId),
      hidden("role", choices.role),
      grantFields(state, choices, consentPath(connection, choices)),
      section(
        "Is it your agent?",
        facts([
          ["The code you typed", typedCode === undefined ? typeAgain : code(typedCode)],
          ["The agent asked from", originOf(connection)]
        ]),
        checkbox(state, {
          name: "codeMatches",
          label: "The code I typed is the one my agent shows, and I started it just now.",
          hint: "If you got the code from another person, deny."
        })
      ),
      decisionButtons
    )
  )

const typeAgain = ["This browser no longer has it. ", linkTo("/workspace/connect", "Type the code again")]

const decisionButtons = h(
  "p",
  { class: "submit" },
  h("button", { type: "submit", name: "decision", value: "APPROVE" }, "Approve"),
  " ",
  h("button", { type: "submit", name: "decision", value: "DENY", class: "quiet" }, "Deny")
)
