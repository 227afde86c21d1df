/** One agent: everything that it may do, and the forms that renew and revoke it. */
import { Effect } from "effect"
import { readOwnGrant, type SeenGrant } from "../../access/grants.ts"
import { pathId } from "../address.ts"
import { checkbox } from "../choices.ts"
import { emptyForm, form, hidden, textField, type FormState } from "../fields.ts"
import { daysMost } from "../grant-values.ts"
import { untrusted, type Element } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, paragraph, section } from "../parts.ts"
import { newRequestId, requestIdField } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { agentPath, grantFacts, grantRequirements, readNames } from "./agents-grant.ts"

export const agentDetail = signedInPage("/workspace/agents/:grantId", (visitor) =>
  Effect.gen(function* () {
    const seen = yield* readOwnGrant(visitor.person, yield* pathId("grantId", "grant"))
    return pageResponse(yield* showAgent(visitor, seen))
  })
)

/** The forms of the page as they were sent last. */
export interface AgentForms {
  readonly renewal?: { readonly state: FormState; readonly requestId: string }
  readonly revocation?: FormState
}

export const showAgent = Effect.fnUntraced(function* (visitor: Visitor, seen: SeenGrant, forms: AgentForms = {}) {
  const names = yield* readNames(visitor, seen.proposalIds)
  const renewal = forms.renewal ?? { state: emptyForm, requestId: yield* newRequestId }
  const revocation = forms.revocation ?? emptyForm
  const { grant, state } = seen
  const { viewer } = visitor
  // A problem leads to its field: none where its form is shown no more.
  const problems = [
    ...(state === "REVOKED" || !seen.isParentLive ? [] : renewal.state.problems),
    ...(state === "REVOKED" ? [] : revocation.problems)
  ]
  return page(
    { title: grant.agentName, viewer, place: "agents", problems },
    grantFacts(seen, names),
    grantRequirements(seen),
    state === "REVOKED"
      ? paragraph("It was revoked: nothing happens under it any more, and it cannot be renewed.")
      : [renewalForm(viewer.formToken, seen, renewal), revocationForm(viewer.formToken, seen, revocation)],
    paragraph(linkTo("/workspace/callbacks", "See what my agents have programs told of")),
    paragraph(linkTo("/workspace/agents", "All my agents"))
  )
})

const renewalForm = (
  formToken: string,
  { grant, isParentLive }: SeenGrant,
  { state, requestId }: NonNullable<AgentForms["renewal"]>
): Element =>
  section(
    "Renew",
    isParentLive
      ? [
          paragraph(
            "The agent gets a new token and a new end, and keeps everything else. The token that it has opens nothing any more from then on."
          ),
          form(
            { action: `${agentPath(grant.grantId)}/renew`, formToken, submitLabel: "Renew, and show the new token" },
            requestIdField(requestId),
            // What the person saw when they began: with the newest one they would end a token that they never saw.
            hidden("expectedGeneration", String(state.sent?.["expectedGeneration"] ?? grant.generation)),
            textField(state, {
              name: "days",
              label: "For how many days from now?",
              hint: `1 to ${daysMost}, and never past your membership.`,
              value: String(daysMost),
              inputMode: "numeric",
              size: "short"
            })
          )
        ]
      : paragraph("The membership behind this agent has ended or no longer lets you delegate: it cannot be renewed.")
  )

const revocationForm = (formToken: string, { grant }: SeenGrant, state: FormState): Element =>
  section(
    "Revoke",
    paragraph("The agent stops at once, and for good. What it has done stays."),
    form(
      { action: `${agentPath(grant.grantId)}/revoke`, formToken, submitLabel: "Revoke", isDangerous: true },
      checkbox(state, {
        name: "confirmed",
        label: ["I revoke what I gave ", untrusted(grant.agentName), ". It cannot be taken back."]
      })
    )
  )
