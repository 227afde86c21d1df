/** The first step of a consent: the organization and role of the agent. */
import type { Effect } from "effect"
import { h } from "preact"
import { roles } from "../../access/actions.ts"
import { radioGroup } from "../kit/choices.ts"
import { formTokenField, type FormState } from "../kit/fields.ts"
import type { readDelegatingMemberships } from "./grant-choices.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { nextStep, paragraph, section } from "../kit/parts.ts"
import { roleLabels } from "../kit/labels.ts"
import { requestSection, type ConnectionRequest } from "./consent-request.ts"

export type DelegatingMemberships = Effect.Success<ReturnType<typeof readDelegatingMemberships>>

export const connectionPath = (connectionId: string): `/workspace/${string}` => `/workspace/connections/${connectionId}`

export const choicePage = (
  viewer: Viewer,
  connection: ConnectionRequest,
  delegations: DelegatingMemberships,
  state: FormState
) =>
  page(
    { title: "An agent asks for access", viewer, place: "connect", problems: state.problems },
    requestSection(connection),
    delegations.length === 0 ? withoutMembership : choiceForm(connection, delegations, state),
    section("Not your agent?", denyForm(viewer, connection))
  )

const withoutMembership = section(
  "You cannot delegate to agents",
  paragraph(
    "This requires a membership with the authority to delegate. Ask a manager of your organization, or create your own workspace."
  ),
  nextStep("/workspace/account", "Go to your account")
)

/** A GET form: it has no effect, and its values are not secret. */
const choiceForm = (connection: ConnectionRequest, delegations: DelegatingMemberships, state: FormState): Element =>
  h(
    "form",
    { method: "get", action: connectionPath(connection.connectionId), class: "fields", noValidate: true },
    h("h2", null, "First step: organization and role"),
    radioGroup(state, {
      name: "organizationId",
      legend: "For which organization may it act?",
      // A single option is preselected.
      chosen: delegations.length === 1 ? delegations.map(({ organizationId }) => organizationId) : [],
      choices: delegations.map(({ organizationId, organizationName }) => ({
        value: organizationId,
        label: untrusted(organizationName)
      }))
    }),
    radioGroup(state, {
      name: "role",
      legend: "In which role may it act?",
      choices: roles.map((role) => ({ value: role, label: roleLabels[role], hint: roleHints[role] }))
    }),
    h("p", { class: "submit" }, h("button", { type: "submit" }, "Continue"))
  )

const roleHints = {
  BUYER:
    "It works on agreements in which your organization receives and reviews, and on proposals that are addressed to you.",
  SUPPLIER: "It works on agreements in which you deliver, and on proposals of your organization."
} as const

const denyForm = (viewer: Viewer, connection: ConnectionRequest): Element =>
  h(
    "form",
    { method: "post", action: connectionPath(connection.connectionId), class: "fields" },
    formTokenField(viewer.formToken),
    h("p", null, "Deny it: the agent gets no access, and its code becomes invalid."),
    h(
      "p",
      { class: "submit" },
      h("button", { type: "submit", name: "decision", value: "DENY", class: "quiet" }, "Deny")
    )
  )
