/** The page of one agent: its grant, and the forms that renew and revoke it. */
import { Effect, Layer, Schema } from "effect"
import { readOwnGrant, renewGrant, revokeGrant, type GrantDetails } from "../../access/grants.ts"
import { addMilliseconds, now as currentTime } from "../../vocabulary/instant.ts"
import { pathId } from "../kit/url-parameters.ts"
import { confirmationForm, decodeConfirmation } from "../kit/confirmation.ts"
import { emptyForm, form, hidden, textField, type FormState } from "../kit/fields.ts"
import { formPage, idempotentFormPage } from "../kit/form-page.ts"
import { decodeForm } from "../kit/form.ts"
import { wholeNumber } from "../kit/form-values.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph, section } from "../kit/parts.ts"
import { requestIdField, requestOf, newForm, type PageForm } from "../kit/idempotent-form.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { agentPath, grantFacts, grantRequirements, readGrantNames } from "./grant.ts"
import { maxDays } from "./grant-values.ts"
import { showToken } from "./token.ts"

const path = "/workspace/agents/:grantId"
const readGrantId = pathId("grantId", "grant")

const readGrant = ({ person }: Visitor) => Effect.flatMap(readGrantId, (grantId) => readOwnGrant(person, grantId))

const agentDetail = signedInPage(path, (visitor) =>
  Effect.flatMap(readGrant(visitor), (details) => showAgent(visitor, details))
)

/** The forms of the page as last submitted. */
interface AgentForms {
  readonly renewal?: PageForm
  readonly revocation?: FormState
}

const showAgent = Effect.fnUntraced(function* (visitor: Visitor, model: GrantDetails, forms: AgentForms = {}) {
  const names = yield* readGrantNames(visitor, model.proposalIds)
  const renewal = forms.renewal ?? (yield* newForm)
  const revocation = forms.revocation ?? emptyForm
  const { grant, state } = model
  const { viewer } = visitor
  // Problems link to their fields: omit those whose form is not shown.
  const problems = [
    ...(state === "REVOKED" || !model.isParentLive ? [] : renewal.state.problems),
    ...(state === "REVOKED" ? [] : revocation.problems)
  ]
  return page(
    { title: grant.agentName, viewer, place: "agents", problems },
    grantFacts(model, names),
    grantRequirements(model),
    state === "REVOKED"
      ? "It was revoked: the agent can no longer act, and the grant cannot be renewed."
      : [renewalForm(viewer.formToken, model, renewal), revocationForm(viewer.formToken, model, revocation)],
    paragraph(linkTo("/workspace/callbacks", "See the webhooks of my agents")),
    paragraph(linkTo("/workspace/agents", "All my agents"))
  )
})

const renewalForm = (
  formToken: string,
  { grant, isParentLive }: GrantDetails,
  { state, requestId }: PageForm
): Element =>
  section(
    "Renew",
    isParentLive
      ? [
          "The agent gets a new token and a new expiry date and keeps everything else. Its current token becomes invalid.",
          form(
            { action: `${agentPath(grant.grantId)}/renew`, formToken, submitLabel: "Renew, and show the new token" },
            requestIdField(requestId),
            // The generation that was shown, so that the form cannot invalidate a newer token.
            hidden("expectedGeneration", String(state.sent?.["expectedGeneration"] ?? grant.generation)),
            textField(state, {
              name: "days",
              label: "For how many days from now?",
              hint: `1 to ${maxDays}, and at most until your membership ends.`,
              value: String(maxDays),
              inputMode: "numeric",
              size: "short"
            })
          )
        ]
      : "The membership of this grant has ended or no longer permits delegation: the grant cannot be renewed."
  )

const Renewal = Schema.Struct({
  expectedGeneration: wholeNumber("The generation", 1, 999_999_999),
  days: wholeNumber("The days", 1, maxDays)
})

const renew = idempotentFormPage(
  { path: `${path}/renew`, shownAt: path },
  {
    read: readGrant,
    decode: (sent) => decodeForm(Renewal, sent),
    show: (visitor, details, renewal) => showAgent(visitor, details, { renewal }),
    run: ({ visitor, subject: { grant }, values, requestId }) =>
      Effect.gen(function* () {
        const { grantId } = grant
        const { expectedGeneration, days } = values
        const request = requestOf(visitor, requestId, "renewGrant", { pathIds: [grantId], values: { ...values } })
        // The operation computes the maximum: the clock of this page is behind the operation's.
        const end = days === maxDays ? {} : { expiresAt: addMilliseconds(yield* currentTime, days * 86_400_000) }
        const credential = yield* renewGrant(visitor.person, request, { grantId, expectedGeneration, ...end })
        return yield* showToken(visitor, grant.agentName, credential)
      })
  }
)

const revocationForm = (formToken: string, { grant }: GrantDetails, state: FormState): Element =>
  section(
    "Revoke",
    "The agent stops at once and permanently. Its past actions remain valid.",
    confirmationForm(state, {
      action: `${agentPath(grant.grantId)}/revoke`,
      formToken,
      submitLabel: "Revoke",
      isDangerous: true,
      statement: ["I revoke the grant of ", untrusted(grant.agentName), ". It cannot be taken back."]
    })
  )

const revoke = formPage(
  { path: `${path}/revoke`, shownAt: path },
  {
    read: () => readGrantId,
    decode: decodeConfirmation("Tick the box to revoke the agent."),
    show: (visitor, grantId, { state }) =>
      Effect.flatMap(readOwnGrant(visitor.person, grantId), (details) =>
        showAgent(visitor, details, { revocation: state })
      ),
    run: ({ visitor, subject: grantId }) =>
      Effect.as(revokeGrant(visitor.person, { grantId }), {
        did: "You revoked the agent.",
        next: "It can no longer act. What it did before remains valid."
      })
  }
)

export const agentPage = Layer.mergeAll(agentDetail, renew, revoke)
