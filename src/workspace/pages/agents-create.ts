/** Creates a token manually, for an agent that cannot show a code: first the organization and role, then the grant. */
import { Effect, Layer, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { showsSomething } from "../../canonical/visible.ts"
import { createGrant } from "../../access/grants.ts"
import { roles, type Role } from "../../access/actions.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse, statusOf } from "../../vocabulary/refusals.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { queryOf } from "../address.ts"
import { emptyForm, form, hidden, textField, type FormState } from "../fields.ts"
import { decodeForm, type SentForm } from "../form.ts"
import { line } from "../form-values.ts"
import { readDelegations, readGrantChoices, type GrantChoices } from "../grant-choices.ts"
import { decodeGrantForm, grantFields } from "../grant-form.ts"
import { isAboutChoice, problemOfRefusal } from "../grant-values.ts"
import { untrusted } from "../html.ts"
import { page, type Viewer } from "../page.ts"
import { linkTo, list, paragraph } from "../parts.ts"
import { refusalPage } from "../refusal-page.ts"
import { newRequestId, requestIdField, requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { roleWords } from "../words.ts"
import { showToken } from "./agents-token.ts"

const path = "/workspace/agents/new"

const formPath = ({ organizationId, role }: OrganizationRole): `/workspace/${string}` =>
  `${path}?organizationId=${organizationId}&role=${role}`

const showNew = signedInPage(path, (visitor) =>
  Effect.gen(function* () {
    const query = yield* queryOf
    const organizationRole = readOrganizationRole(query("organizationId"), query("role"))
    if (organizationRole === undefined) return pageResponse(yield* choicePage(visitor))
    const choices = yield* readGrantChoices(visitor, organizationRole)
    return pageResponse(grantPage(visitor.viewer, choices, emptyForm, yield* newRequestId))
  })
)

/** The organization that the agent acts for, and its role. */
interface OrganizationRole {
  readonly organizationId: string
  readonly role: Role
}

const readOrganizationRole = (organizationId: unknown, roleParameter: unknown): OrganizationRole | undefined => {
  const role = roles.find((one) => one === roleParameter)
  return role !== undefined && isOrganization(organizationId) ? { organizationId, role } : undefined
}

const isOrganization = Schema.is(idOf("organization"))

const choicePage = Effect.fnUntraced(function* ({ person, viewer }: Visitor) {
  const memberships = yield* readDelegations(person)
  return page(
    { title: "Create a token manually", viewer, place: "agents" },
    memberships.length === 0
      ? paragraph("You are in no organization for which you may delegate to agents.")
      : [
          paragraph("For which organization does the agent act, and in which role?"),
          list(
            memberships.flatMap(({ organizationId, organizationName }) =>
              roles.map((role) =>
                linkTo(formPath({ organizationId, role }), [`${roleWords[role]} for `, untrusted(organizationName)])
              )
            )
          )
        ]
  )
})

const grantPage = (viewer: Viewer, choices: GrantChoices, state: FormState, requestId: string) =>
  page(
    { title: "Create a token manually", viewer, place: "agents", problems: state.problems },
    paragraph(
      `It acts as ${roleWords[choices.role].toLowerCase()} for `,
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
    Schema.makeFilter((name) => name === "" || showsSomething(name), {
      message: "The name needs a visible character."
    })
  )
})

const create = signedInForm(path, (visitor, sent) =>
  Effect.gen(function* () {
    const { requestId, form } = yield* takeRequestId(sent)
    const { organizationId, role, ...fields } = form.fields
    const organizationRole = readOrganizationRole(organizationId, role)
    if (organizationRole === undefined) return yield* refuse("INVALID_REQUEST")
    return yield* createFor(visitor, requestId, organizationRole, { ...form, fields }).pipe(
      // A repeated sign-in returns to this form.
      Effect.catchTag("Refused", (refused) =>
        Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
          refusalPage(refused, { request, viewer: visitor.viewer, returnTo: formPath(organizationRole) })
        )
      )
    )
  })
)

const createFor = Effect.fnUntraced(function* (
  visitor: Visitor,
  requestId: string,
  organizationRole: OrganizationRole,
  sent: SentForm
) {
  const choices = yield* readGrantChoices(visitor, organizationRole)
  const { grant, rest } = yield* decodeGrantForm(choices, sent)
  const named = yield* decodeForm(AgentName, rest)
  if (Result.isFailure(grant) || Result.isFailure(named)) {
    const problems = [...problemsIn(named), ...problemsIn(grant)]
    return pageResponse(grantPage(visitor.viewer, choices, { sent: sent.fields, problems }, requestId), 400)
  }
  const { agentName } = named.success
  const { input, values } = grant.success
  const request = requestOf(visitor, requestId, "createGrant", { values: { ...organizationRole, agentName, values } })
  return yield* createGrant(visitor.person, request, { ...input, agentName }).pipe(
    Effect.flatMap((shown) => showToken(visitor, agentName, shown)),
    Effect.catchTag("Refused", (refused) =>
      Effect.gen(function* () {
        if (!isAboutChoice(refused)) return yield* Effect.fail(refused)
        const current = yield* readGrantChoices(visitor, organizationRole)
        const state = { sent: sent.fields, problems: [problemOfRefusal(refused, input, current)] }
        return pageResponse(grantPage(visitor.viewer, current, state, requestId), statusOf(refused))
      })
    )
  )
})

const problemsIn = <A>(decoded: Result.Result<A, FormState>) =>
  Result.isFailure(decoded) ? decoded.failure.problems : []

export const agentCreation = Layer.mergeAll(showNew, create)
