/** The first step of a consent: the organization and role of the agent. */
import { h } from "preact"
import { roles } from "../../access/actions.ts"
import { formTokenField, queryForm, type FormState } from "../kit/fields.ts"
import type { Element } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { nextStep, section } from "../kit/parts.ts"
import { organizationRadios, roleRadios } from "../organization/choices.ts"
import type { Membership } from "../organization/own-membership.ts"
import { requestSection, type ConnectionRequest } from "./consent-request.ts"

export const connectionPath = (connectionId: string): `/workspace/${string}` => `/workspace/connections/${connectionId}`

export const choicePage = (
  viewer: Viewer,
  connection: ConnectionRequest,
  delegations: ReadonlyArray<Membership>,
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
  "This requires a membership with the authority to delegate. Ask a manager of your organization, or create your own workspace.",
  nextStep("/workspace/account", "Go to your account")
)

const choiceForm = (connection: ConnectionRequest, memberships: ReadonlyArray<Membership>, state: FormState): Element =>
  queryForm(
    { action: connectionPath(connection.connectionId), submitLabel: "Continue" },
    h("h2", null, "First step: organization and role"),
    organizationRadios(state, { legend: "For which organization may it act?", memberships, choosesOnly: true }),
    roleRadios(state, { legend: "In which role may it act?", roles, hints: roleHints })
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
