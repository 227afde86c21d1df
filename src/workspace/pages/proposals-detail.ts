/** One proposal as its people see it: what is next, all that is offered, what happened, and its agents' pause. */
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
    const untold = yield* isUntold(visitor, proposalId)
    const shown = pageResponse(yield* showProposal(visitor, proposalId, { isUntold: untold }))
    return untold ? forgetUntold(shown) : shown
  }).pipe(orNeedsOrganization(visitor))
)

interface Around {
  /** The form of the page that was sent last, with what was wrong with it. */
  readonly failed?: { readonly state: FormState; readonly requestId: string }
  /** True where the letter about the agreement that was just made did not go out. */
  readonly isUntold?: boolean
}

export const showProposal = Effect.fnUntraced(function* (
  visitor: Visitor,
  proposalId: string,
  { failed, isUntold: untold = false }: Around
) {
  const seen = yield* readSeenProposal(visitor, proposalId)
  const { siteUrl } = yield* Installation
  const { viewer } = visitor
  const { proposal, automation } = seen.view
  const sent = failed ?? { state: emptyForm, requestId: yield* newRequestId }
  const path = proposalPath(proposalId)
  return page(
    { title: proposal.terms.title, viewer, place: "proposals", problems: failed?.state.problems ?? [] },
    untold ? notice("warning", paragraph(untoldWords)) : null,
    nextSection(seen),
    agreementSection(seen),
    addressSection(seen, siteUrl),
    readinessSection(seen),
    section("The proposal", proposalFacts(seen)),
    section(
      "The terms",
      paragraph("The author’s side wrote every word of them. Nobody here has verified them."),
      proposedTerms(seen)
    ),
    section(
      "What happened",
      seen.view.role === "BUYER" ? paragraph("What concerns you of it; the author sees the rest.") : null,
      proposalTimeline(seen, seen.events)
    ),
    automationSection(
      {
        path,
        viewer,
        title: "Agents on this proposal",
        project: { role: seen.view.role, pauses: automation.pausedBy },
        pausedBy: automation.pausedBy.map(({ by }) => whoPaused(seen, by)),
        mayChange: seen.mayDelegate
      },
      sent
    ),
    paragraph(linkTo(proposalsPath, "All proposals"))
  )
})

const untoldWords =
  "The letter that tells the supplier of the agreement could not be sent. The agreement stands all the same: tell them yourself."

const nextSection = (seen: SeenProposal): Element => {
  const { proposalId, view } = seen
  const acts = view.availableActions.filter(isProposalAct)
  // What the state waits for comes first, and looks like it.
  const order = ["PUBLISH_PROPOSAL", "RESPOND_PROPOSAL", "UPDATE_PROPOSAL", "WITHDRAW_PROPOSAL"] as const
  const [first, ...others] = order.filter((act) => acts.includes(act))
  const isOwnStep = proposalStateWords[view.proposal.state][view.role].step !== undefined
  const to = (act: (typeof order)[number]) => `${proposalPath(proposalId)}/${proposalActWords[act].path}` as const
  const more = isOwnStep || first === undefined ? others : [first, ...others]
  return section(
    "What is next",
    standingFacts(seen),
    isOwnStep && first !== undefined ? nextStep(to(first), proposalActWords[first].name) : null,
    more.length === 0
      ? null
      : [
          paragraph(isOwnStep ? "You can also:" : "You can:"),
          list(more.map((act) => linkTo(to(act), proposalActWords[act].name)))
        ],
    blocked(seen)
  )
}

/** What this state rules out is not worth a line; what else stands in the way is. */
const blocked = ({ view }: SeenProposal): Content => {
  const told = view.blockedActions.flatMap(({ action, code }) =>
    isProposalAct(action) && code !== "STATE_CONFLICT" ? [[proposalActWords[action].name, code] as const] : []
  )
  return told.length === 0
    ? null
    : [paragraph("Not possible now:"), list(told.map(([name, code]) => [name, ": ", sayProposalBlocked(code)]))]
}

/** What an acceptance made. */
const agreementSection = ({ view }: SeenProposal): Content => {
  const { projectId } = view.proposal
  return projectId === null
    ? null
    : section(
        "The agreement",
        paragraph(
          "It was made by the acceptance, of exactly the terms below. It is a project of its own: the supplier answers it there, and all that comes after is done there."
        ),
        nextStep(`/workspace/projects/${projectId}`, "Go to the agreement")
      )
}

/** What the author gives to the recipient. */
const addressSection = ({ view, proposalId }: SeenProposal, siteUrl: string): Content =>
  view.role === "SUPPLIER" && view.proposal.state === "PUBLISHED"
    ? section(
        "Tell the recipient",
        paragraph("Nobody was written to. Give the recipient this address; it opens nothing to anybody else:"),
        paragraph(code(`${siteUrl}${proposalPath(proposalId)}`))
      )
    : null

/** Whether the recipient could accept, while that is open. */
const readinessSection = ({ view }: SeenProposal): Content => {
  const { proposal, role } = view
  if (proposal.state !== "PUBLISHED" && (proposal.state !== "DRAFT" || role === "BUYER")) return null
  const missing = view.decisionReadiness.missing.filter((code) => code !== "STATE_CONFLICT")
  return section(
    "Can it be accepted?",
    missing.length > 0
      ? [paragraph("Not as it is:"), list(missing.map(sayProposalBlocked))]
      : paragraph(
          proposal.state === "DRAFT"
            ? "Nothing in the terms stands in the way once it is published."
            : "Nothing in the terms stands in the way."
        )
  )
}

const proposalFacts = (seen: SeenProposal): Element => {
  const { proposal, role, automation } = seen.view
  return facts([
    ["Proposal", h("code", null, seen.proposalId)],
    ["My side", role === "SUPPLIER" ? `${roleWords[role]}, who proposes` : `${roleWords[role]}, who answers`],
    ["From", authorOf(seen)],
    ["To", recipientOf(seen)],
    ["Digest of this version", h("code", null, proposal.digest)],
    ["Agents", automation.paused ? badge("waiting", "paused") : badge("good", "may act")]
  ])
}

/** An agent that handed over is told by the person in whose name it has acted here, and by its id. */
const whoPaused = ({ events, nameOf }: SeenProposal, by: string): Content => {
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
