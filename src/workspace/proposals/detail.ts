/** The page of one proposal: next action, terms, history and agents. */
import { Effect } from "effect"
import { h } from "preact"
import { Installation } from "../../ports/installation.ts"
import { pathId } from "../kit/url-parameters.ts"
import { emptyForm, type FormState } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { badge, code, facts, linkTo, list, nextStep, notice, paragraph, section } from "../kit/parts.ts"
import { clearFailedEmail, hasFailedEmail } from "../kit/email-failed-notice.ts"
import { authorOf, proposalPath, recipientOf, proposalStateFacts } from "./identity.ts"
import { explainMissingOrganization } from "./missing-organization.ts"
import { readProposalPageModel, type ProposalPageModel } from "./read-model.ts"
import { proposalTermsFacts } from "./terms.ts"
import { proposalTimeline } from "./timeline.ts"
import { isProposalAct, proposalActLabels, proposalStateLabels, proposalBlockedReasonText } from "./labels.ts"
import { newRequestId } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { roleLabels } from "../kit/labels.ts"
import { automationSection } from "../projects/sections.ts"
import { proposalsPath } from "./path.ts"

export const proposalDetail = signedInPage("/workspace/proposals/:proposalId", (visitor) =>
  Effect.gen(function* () {
    const proposalId = yield* pathId("proposalId", "proposal")
    const hasEmailFailed = yield* hasFailedEmail(visitor, proposalId)
    const shown = pageResponse(yield* showProposal(visitor, proposalId, { isUntold: hasEmailFailed }))
    return hasEmailFailed ? clearFailedEmail(shown) : shown
  }).pipe(explainMissingOrganization(visitor))
)

interface ShownParts {
  /** The submitted form of this page, with its problems. */
  readonly failed?: { readonly state: FormState; readonly requestId: string }
  /** True where the notification e-mail about the agreement failed. */
  readonly isUntold?: boolean
}

export const showProposal = Effect.fnUntraced(function* (
  visitor: Visitor,
  proposalId: string,
  { failed, isUntold: hasEmailFailed = false }: ShownParts
) {
  const model = yield* readProposalPageModel(visitor, proposalId)
  const { siteUrl } = yield* Installation
  const { viewer } = visitor
  const { proposal, automation } = model.view
  const sent = failed ?? { state: emptyForm, requestId: yield* newRequestId }
  const path = proposalPath(proposalId)
  return page(
    { title: proposal.terms.title, viewer, place: "proposals", problems: failed?.state.problems ?? [] },
    hasEmailFailed ? notice("warning", paragraph(emailFailedText)) : null,
    nextSection(model),
    agreementSection(model),
    addressSection(model, siteUrl),
    readinessSection(model),
    section("The proposal", proposalFacts(model)),
    section(
      "The terms",
      paragraph("The author wrote them. This service has not verified them."),
      proposalTermsFacts(model)
    ),
    section(
      "What happened",
      model.view.role === "BUYER" ? paragraph("Only the events that concern you; the author sees all of them.") : null,
      proposalTimeline(model, model.events)
    ),
    automationSection(
      {
        path,
        viewer,
        title: "Agents on this proposal",
        project: { role: model.view.role, pauses: automation.pausedBy },
        pausedBy: automation.pausedBy.map(({ by }) => pausedByText(model, by)),
        mayChange: model.mayDelegate
      },
      sent
    ),
    paragraph(linkTo(proposalsPath, "All proposals"))
  )
})

const emailFailedText =
  "The e-mail that notifies the supplier of the agreement could not be sent. The agreement is still valid: notify them yourself."

const nextSection = (model: ProposalPageModel): Element => {
  const { proposalId, view } = model
  const acts = view.availableActions.filter(isProposalAct)
  // The expected act comes first, as a button.
  const order = ["PUBLISH_PROPOSAL", "RESPOND_PROPOSAL", "UPDATE_PROPOSAL", "WITHDRAW_PROPOSAL"] as const
  const [first, ...others] = order.filter((act) => acts.includes(act))
  const isOwnStep = proposalStateLabels[view.proposal.state][view.role].step !== undefined
  const to = (act: (typeof order)[number]) => `${proposalPath(proposalId)}/${proposalActLabels[act].path}` as const
  const more = isOwnStep || first === undefined ? others : [first, ...others]
  return section(
    "What is next",
    proposalStateFacts(model),
    isOwnStep && first !== undefined ? nextStep(to(first), proposalActLabels[first].name) : null,
    more.length === 0
      ? null
      : [
          paragraph(isOwnStep ? "You can also:" : "You can:"),
          list(more.map((act) => linkTo(to(act), proposalActLabels[act].name)))
        ],
    blocked(model)
  )
}

/** Blocked acts with their reasons; acts that the state rules out are omitted. */
const blocked = ({ view }: ProposalPageModel): Content => {
  const explained = view.blockedActions.flatMap(({ action, code }) =>
    isProposalAct(action) && code !== "STATE_CONFLICT" ? [[proposalActLabels[action].name, code] as const] : []
  )
  return explained.length === 0
    ? null
    : [
        paragraph("Not possible now:"),
        list(explained.map(([name, code]) => [name, ": ", proposalBlockedReasonText(code)]))
      ]
}

/** The agreement made by an acceptance. */
const agreementSection = ({ view }: ProposalPageModel): Content => {
  const { projectId } = view.proposal
  return projectId === null
    ? null
    : section(
        "The agreement",
        paragraph(
          "The acceptance made it, with exactly the terms below. It is a separate project: the supplier answers it there, and everything after that is done there."
        ),
        nextStep(`/workspace/projects/${projectId}`, "Go to the agreement")
      )
}

/** The URL that the author gives to the recipient. */
const addressSection = ({ view, proposalId }: ProposalPageModel, siteUrl: string): Content =>
  view.role === "SUPPLIER" && view.proposal.state === "PUBLISHED"
    ? section(
        "Tell the recipient",
        paragraph("No message was sent. Give the recipient this URL; it grants no access to other people:"),
        paragraph(code(`${siteUrl}${proposalPath(proposalId)}`))
      )
    : null

/** Whether the recipient can accept, while the proposal is open. */
const readinessSection = ({ view }: ProposalPageModel): Content => {
  const { proposal, role } = view
  if (proposal.state !== "PUBLISHED" && (proposal.state !== "DRAFT" || role === "BUYER")) return null
  const missing = view.decisionReadiness.missing.filter((code) => code !== "STATE_CONFLICT")
  return section(
    "Can it be accepted?",
    missing.length > 0
      ? [paragraph("Not in its current form:"), list(missing.map(proposalBlockedReasonText))]
      : paragraph(
          proposal.state === "DRAFT" ? "The terms can be accepted once it is published." : "The terms can be accepted."
        )
  )
}

const proposalFacts = (model: ProposalPageModel): Element => {
  const { proposal, role, automation } = model.view
  return facts([
    ["Proposal", h("code", null, model.proposalId)],
    ["My role", role === "SUPPLIER" ? `${roleLabels[role]}, the author` : `${roleLabels[role]}, the recipient`],
    ["From", authorOf(model)],
    ["To", recipientOf(model)],
    ["Digest of this version", h("code", null, proposal.digest)],
    ["Agents", automation.paused ? badge("waiting", "paused") : badge("good", "may act")]
  ])
}

/** An agent that handed over is shown by the person it acted for, and by its id. */
const pausedByText = ({ events, nameOf }: ProposalPageModel, by: string): Content => {
  if (!by.startsWith("agent_")) return untrusted(nameOf(by))
  const person = events.find(({ actor }) => actor.execution?.agentId === by)?.actor.id
  return [
    "an agent ",
    person === undefined ? null : ["of ", untrusted(nameOf(person)), " "],
    "(",
    h("code", null, by),
    ")"
  ]
}
