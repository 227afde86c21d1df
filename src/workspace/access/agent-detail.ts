/** The page of one agent: its grant, and the forms that renew and revoke it. */
import { Effect } from "effect"
import { readOwnGrant, type GrantDetails } from "../../access/grants.ts"
import { pathId } from "../kit/url-parameters.ts"
import { checkbox } from "../kit/choices.ts"
import { emptyForm, form, hidden, textField, type FormState } from "../kit/fields.ts"
import { maxDays } from "./grant-values.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph, section } from "../kit/parts.ts"
import { newRequestId, requestIdField } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { agentPath, grantFacts, grantRequirements, readGrantNames } from "./grant.ts"

export const agentDetail = signedInPage("/workspace/agents/:grantId", (visitor) =>
  Effect.gen(function* () {
    const model = yield* readOwnGrant(visitor.person, yield* pathId("grantId", "grant"))
    return pageResponse(yield* showAgent(visitor, model))
  })
)

/** The forms of the page as last submitted. */
export interface AgentForms {
  readonly renewal?: { readonly state: FormState; readonly requestId: string }
  readonly revocation?: FormState
}

export const showAgent = Effect.fnUntraced(function* (visitor: Visitor, model: GrantDetails, forms: AgentForms = {}) {
  const names = yield* readGrantNames(visitor, model.proposalIds)
  const renewal = forms.renewal ?? { state: emptyForm, requestId: yield* newRequestId }
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
      ? paragraph("It was revoked: the agent can no longer act, and the grant cannot be renewed.")
      : [renewalForm(viewer.formToken, model, renewal), revocationForm(viewer.formToken, model, revocation)],
    paragraph(linkTo("/workspace/callbacks", "See the webhooks of my agents")),
    paragraph(linkTo("/workspace/agents", "All my agents"))
  )
})

const renewalForm = (
  formToken: string,
  { grant, isParentLive }: GrantDetails,
  { state, requestId }: NonNullable<AgentForms["renewal"]>
): Element =>
  section(
    "Renew",
    isParentLive
      ? [
          paragraph(
            "The agent gets a new token and a new expiry date and keeps everything else. Its current token becomes invalid."
          ),
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
      : paragraph(
          "The membership of this grant has ended or no longer permits delegation: the grant cannot be renewed."
        )
  )

const revocationForm = (formToken: string, { grant }: GrantDetails, state: FormState): Element =>
  section(
    "Revoke",
    paragraph("The agent stops at once and permanently. Its past actions remain valid."),
    form(
      { action: `${agentPath(grant.grantId)}/revoke`, formToken, submitLabel: "Revoke", isDangerous: true },
      checkbox(state, {
        name: "confirmed",
        label: ["I revoke the grant of ", untrusted(grant.agentName), ". It cannot be taken back."]
      })
    )
  )
