/** Creates a token manually, for an agent that cannot show a code: first the organization and role, then the grant. */
import { Effect, Layer, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { hasVisibleCharacter } from "../../canonical/visible-characters.ts"
import { createGrant } from "../../access/grants.ts"
import { roles } from "../../access/actions.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { form, hidden, textField } from "../kit/fields.ts"
import { bothParts, decodeForm, type FormSubmission } from "../kit/form.ts"
import { line } from "../kit/form-values.ts"
import { untrusted } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { linkTo, list, paragraph } from "../kit/parts.ts"
import { refusalPage } from "../kit/refusal-page.ts"
import { requestIdField, requestOf, takeRequestId, newForm, type PageForm } from "../kit/idempotent-form.ts"
import { pageResponse, refusedResponse } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { roleLabels } from "../kit/labels.ts"
import { readMemberships } from "../organization/own-membership.ts"
import { readGrantChoices, type GrantChoices, type OrganizationRole } from "./grant-choices.ts"
import { decodeGrantForm, grantFields, readChoicesAgain } from "./grant-form.ts"
import { showToken } from "./token.ts"

const path = "/workspace/agents/new"

const formPath = ({ organizationId, role }: OrganizationRole): `/workspace/${string}` =>
  `${path}?organizationId=${organizationId}&role=${role}`

const showNew = signedInPage(path, function* (visitor) {
  const query = yield* readQueryParameters
  const organizationRole = readOrganizationRole(query("organizationId"), query("role"))
  if (organizationRole === undefined) return yield* choicePage(visitor)
  const choices = yield* readGrantChoices(visitor, organizationRole)
  return grantPage(visitor.viewer, choices, yield* newForm)
})

const readOrganizationRole = (organizationId: unknown, roleParameter: unknown): OrganizationRole | undefined => {
  const role = roles.find((one) => one === roleParameter)
  return role !== undefined && isOrganization(organizationId) ? { organizationId, role } : undefined
}

const isOrganization = Schema.is(idOf("organization"))

const choicePage = Effect.fnUntraced(function* ({ person, viewer }: Visitor) {
  const memberships = yield* readMemberships(person, "DELEGATE")
  return page(
    { title: "Create a token manually", viewer, place: "agents" },
    memberships.length === 0
      ? "You are in no organization for which you may delegate to agents."
      : [
          "For which organization does the agent act, and in which role?",
          list(
            memberships.flatMap(({ organizationId, organizationName }) =>
              roles.map((role) =>
                linkTo(formPath({ organizationId, role }), [`${roleLabels[role]} for `, untrusted(organizationName)])
              )
            )
          )
        ]
  )
})

const grantPage = (viewer: Viewer, choices: GrantChoices, { state, requestId }: PageForm) =>
  page(
    { title: "Create a token manually", viewer, place: "agents", problems: state.problems },
    paragraph(
      `It acts as ${roleLabels[choices.role].toLowerCase()} for `,
      untrusted(choices.organizationName),
      ". ",
      linkTo(path, "Choose again")
    ),
    form(
      { action: path, formToken: viewer.formToken, submitLabel: "Create and show the token" },
      requestIdField(requestId),
      hidden("organizationId", choices.organizationId),
      hidden("role", choices.role),
      textField(state, {
        name: "agentName",
        label: "Name of the agent",
        hint: "Shown to you and to the other party.",
        maxLength: limits.titleCharacters
      }),
      grantFields(state, choices, formPath(choices))
    )
  )

const AgentName = Schema.Struct({
  agentName: line("The name", limits.titleCharacters).check(
    Schema.makeFilter((name) => name === "" || hasVisibleCharacter(name), {
      message: "The name needs a visible character."
    })
  )
})

const create = signedInForm(path, function* (visitor, sent) {
  const { requestId, form } = yield* takeRequestId(sent)
  const { organizationId, role, ...fields } = form.fields
  const organizationRole = readOrganizationRole(organizationId, role)
  if (organizationRole === undefined) return yield* refuse("INVALID_REQUEST")
  return yield* createFor(visitor, requestId, organizationRole, { ...form, fields }).pipe(
    // A repeated sign-in returns to this form.
    Effect.catchTag("Refusal", (refused) =>
      Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
        refusalPage(refused, { request, viewer: visitor.viewer, returnTo: formPath(organizationRole) })
      )
    )
  )
})

const createFor = Effect.fnUntraced(function* (
  visitor: Visitor,
  requestId: string,
  organizationRole: OrganizationRole,
  sent: FormSubmission
) {
  const choices = yield* readGrantChoices(visitor, organizationRole)
  const { grant, rest } = yield* decodeGrantForm(choices, sent)
  const decoded = bothParts(sent, yield* decodeForm(AgentName, rest), grant)
  if (Result.isFailure(decoded)) {
    return pageResponse(grantPage(visitor.viewer, choices, { state: decoded.failure, requestId }), 400)
  }
  const [{ agentName }, { input, values }] = decoded.success
  const request = requestOf(visitor, requestId, "createGrant", { values: { ...organizationRole, agentName, values } })
  return yield* createGrant(visitor.person, request, { ...input, agentName }).pipe(
    Effect.flatMap((shown) => showToken(visitor, agentName, shown)),
    Effect.catchTag("Refusal", (refused) =>
      Effect.map(readChoicesAgain(visitor, organizationRole, input)(refused), ({ choices, problems }) =>
        refusedResponse(
          grantPage(visitor.viewer, choices, { state: { sent: sent.fields, problems }, requestId }),
          refused
        )
      )
    )
  )
})

export const agentCreation = Layer.mergeAll(showNew, create)
