/** The page of one proposal: next action, terms, history and agents. */
import { Effect } from "effect"
import { h } from "preact"
import { Installation } from "../../ports/installation.ts"
import { pathId } from "../address.ts"
import { emptyForm, type FormState } from "../fields.ts"
import { untrusted, type Content, type Element } from "../html.ts"
import { page } from "../page.ts"
import { badge, code, facts, linkTo, list, nextStep, notice, paragraph, section } from "../parts.ts"
import { forgetUntold, isUntold } from "../project-untold.ts"
import { authorOf, proposalPath, recipientOf, standingFacts } from "../proposal-identity.ts"
import { orNeedsOrganization } from "../proposal-outside.ts"
import { readSeenProposal, type SeenProposal } from "../proposal-seen.ts"
import { proposedTerms } from "../proposal-terms.ts"
import { proposalTimeline } from "../proposal-timeline.ts"
import { isProposalAct, proposalActWords, proposalStateWords, sayProposalBlocked } from "../proposal-words.ts"
import { newRequestId } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { roleWords } from "../words.ts"
import { automationSection } from "./projects-sections.ts"
import { proposalsPath } from "./proposals-path.ts"

export const proposalDetail = signedInPage("/workspace/proposals/:proposalId", (visitor) =>
  Effect.gen(function* () {
    const proposalId = yield* pathId("proposalId", "proposal")
    const hasEmailFailed = yield* isUntold(visitor, proposalId)
    const shown = pageResponse(yield* showProposal(visitor, proposalId, { isUntold: hasEmailFailed }))
    return hasEmailFailed ? forgetUntold(shown) : shown
  }).pipe(orNeedsOrganization(visitor))
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
  const model = yield* readSeenProposal(visitor, proposalId)
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
    section("The terms", paragraph("The author wrote them. This service has not verified them."), proposedTerms(model)),
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

const nextSection = (model: SeenProposal): Element => {
  const { proposalId, view } = model
  const acts = view.availableActions.filter(isProposalAct)
  // The expected act comes first, as a button.
  const order = ["PUBLISH_PROPOSAL", "RESPOND_PROPOSAL", "UPDATE_PROPOSAL", "WITHDRAW_PROPOSAL"] as const
  const [first, ...others] = order.filter((act) => acts.includes(act))
  const isOwnStep = proposalStateWords[view.proposal.state][view.role].step !== undefined
  const to = (act: (typeof order)[number]) => `${proposalPath(proposalId)}/${proposalActWords[act].path}` as const
  const more = isOwnStep || first === undefined ? others : [first, ...others]
  return section(
    "What is next",
    standingFacts(model),
    isOwnStep && first !== undefined ? nextStep(to(first), proposalActWords[first].name) : null,
    more.length === 0
      ? null
      : [
          paragraph(isOwnStep ? "You can also:" : "You can:"),
          list(more.map((act) => linkTo(to(act), proposalActWords[act].name)))
        ],
    blocked(model)
  )
}

/** Blocked acts with their reasons; acts that the state rules out are omitted. */
const blocked = ({ view }: SeenProposal): Content => {
  const explained = view.blockedActions.flatMap(({ action, code }) =>
    isProposalAct(action) && code !== "STATE_CONFLICT" ? [[proposalActWords[action].name, code] as const] : []
  )
  return explained.length === 0
    ? null
    : [paragraph("Not possible now:"), list(explained.map(([name, code]) => [name, ": ", sayProposalBlocked(code)]))]
}

/** The agreement made by an acceptance. */
const agreementSection = ({ view }: SeenProposal): Content => {
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
const addressSection = ({ view, proposalId }: SeenProposal, siteUrl: string): Content =>
  view.role === "SUPPLIER" && view.proposal.state === "PUBLISHED"
    ? section(
        "Tell the recipient",
        paragraph("No message was sent. Give the recipient this URL; it grants no access to other people:"),
        paragraph(code(`${siteUrl}${proposalPath(proposalId)}`))
      )
    : null

/** Whether the recipient can accept, while the proposal is open. */
const readinessSection = ({ view }: SeenProposal): Content => {
  const { proposal, role } = view
  if (proposal.state !== "PUBLISHED" && (proposal.state !== "DRAFT" || role === "BUYER")) return null
  const missing = view.decisionReadiness.missing.filter((code) => code !== "STATE_CONFLICT")
  return section(
    "Can it be accepted?",
    missing.length > 0
      ? [paragraph("Not in its current form:"), list(missing.map(sayProposalBlocked))]
      : paragraph(
          proposal.state === "DRAFT" ? "The terms can be accepted once it is published." : "The terms can be accepted."
        )
  )
}

const proposalFacts = (model: SeenProposal): Element => {
  const { proposal, role, automation } = model.view
  return facts([
    ["Proposal", h("code", null, model.proposalId)],
    ["My role", role === "SUPPLIER" ? `${roleWords[role]}, the author` : `${roleWords[role]}, the recipient`],
    ["From", authorOf(model)],
    ["To", recipientOf(model)],
    ["Digest of this version", h("code", null, proposal.digest)],
    ["Agents", automation.paused ? badge("waiting", "paused") : badge("good", "may act")]
  ])
}

/** An agent that handed over is shown by the person it acted for, and by its id. */
const pausedByText = ({ events, nameOf }: SeenProposal, by: string): Content => {
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
