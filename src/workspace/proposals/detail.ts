/** The page of one proposal: pause and next action at the top, then the terms and the history. */
import { Effect } from "effect"
import { h } from "preact"
import { Installation } from "../../ports/installation.ts"
import { automationBadge, automationControl, delegationNeeded } from "../commands/automation.ts"
import { nextSection } from "../commands/next-acts.ts"
import { subjectPage } from "../commands/subject.ts"
import type { Content, Element } from "../kit/html.ts"
import { roleLabels } from "../kit/labels.ts"
import { page } from "../kit/page.ts"
import { code, facts, linkTo, list, nextStep, paragraph, section } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { newForm, type PageForm } from "../kit/idempotent-form.ts"
import { authorOf, proposalPath, recipientOf } from "./identity.ts"
import { hasNextAction, proposalBlockedReasonText } from "./labels.ts"
import { newProposalPath, proposalsPath } from "./path.ts"
import { readProposalPageModel, type ProposalPageModel } from "./read-model.ts"
import { proposals, viewOfProposal } from "./subject.ts"
import { proposalTermsFacts } from "./terms.ts"
import { proposalTimeline } from "./timeline.ts"

export const proposalDetail = subjectPage(proposals, "", (visitor, proposalId) => showProposal(visitor, proposalId))

/** `failed` is the submitted form that pauses or resumes the agents, with its problems. */
export const showProposal = Effect.fnUntraced(function* (visitor: Visitor, proposalId: string, failed?: PageForm) {
  const model = yield* readProposalPageModel(visitor, proposalId)
  const { siteUrl } = yield* Installation
  const { viewer } = visitor
  const { proposal, automation } = model.view
  const sent = failed ?? (yield* newForm)
  return page(
    { title: proposal.terms.title, viewer, place: "proposals", problems: failed?.state.problems ?? [] },
    automationControl(
      proposals,
      {
        id: proposalId,
        viewer,
        role: model.view.role,
        pauses: automation.pausedBy,
        events: model.events,
        nameOf: model.nameOf,
        mayChange: model.mayDelegate
      },
      sent
    ),
    nextProposalSection(model),
    agreementSection(model),
    addressSection(model, siteUrl),
    readinessSection(model),
    section("The proposal", proposalFacts(model)),
    section("The terms", "The author wrote them. This service has not verified them.", proposalTermsFacts(model)),
    section(
      "What happened",
      model.view.role === "BUYER" ? "Only the events that concern you; the author sees all of them." : null,
      proposalTimeline(model, model.events)
    ),
    model.mayWrite
      ? paragraph(linkTo(`${newProposalPath}?like=${proposalId}`, "Write another proposal like this"))
      : null,
    paragraph(linkTo(proposalsPath, "All proposals"))
  )
})

/** In the order of the links; the expected act is the first. */
const orderedActs = ["PUBLISH_PROPOSAL", "RESPOND_PROPOSAL", "UPDATE_PROPOSAL", "WITHDRAW_PROPOSAL"] as const

const nextProposalSection = (model: ProposalPageModel): Element => {
  const { proposal, role, availableActions } = model.view
  const acts = orderedActs.filter((act) => availableActions.includes(act))
  const isExpected = hasNextAction(proposal.state, role)
  return nextSection(viewOfProposal(model), {
    first: isExpected ? acts[0] : undefined,
    others: isExpected ? acts.slice(1) : acts
  })
}

/** The agreement made by an acceptance. */
const agreementSection = ({ view }: ProposalPageModel): Content => {
  const { projectId } = view.proposal
  return projectId === null
    ? null
    : section(
        "The agreement",
        "The acceptance made it, with exactly the terms below. It is a separate project: the supplier answers it there, and everything after that is done there.",
        nextStep(`/workspace/projects/${projectId}`, "Go to the agreement")
      )
}

/** The URL that the author gives to the recipient. */
const addressSection = ({ view, proposalId }: ProposalPageModel, siteUrl: string): Content =>
  view.role === "SUPPLIER" && view.proposal.state === "PUBLISHED"
    ? section(
        "Tell the recipient",
        "No message was sent. Give the recipient this URL; it grants no access to other people:",
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
      ? ["Not in its current form:", list(missing.map(proposalBlockedReasonText))]
      : proposal.state === "DRAFT"
        ? "The terms can be accepted once it is published."
        : "The terms can be accepted."
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
    ["Agents", [automationBadge(automation.paused), model.mayDelegate ? null : [" ", delegationNeeded]]]
  ])
}
