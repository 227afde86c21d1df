/** The pages after a failed command on a proposal: unavailable, changed meanwhile, or refused. */
import { Effect } from "effect"
import { statusOf, type Refused } from "../vocabulary/refusals.ts"
import { untrusted, type Content } from "./html.ts"
import { page } from "./page.ts"
import { linkTo, nextStep, notice, paragraph, section } from "./parts.ts"
import { isShownRefused } from "./project-act-refused.ts"
import { written } from "./project-written.ts"
import { proposalPath, standingFacts, titledProposal } from "./proposal-identity.ts"
import { readSeenProposal, type SeenProposal } from "./proposal-seen.ts"
import { proposalTimeline } from "./proposal-timeline.ts"
import {
  nextOfRefused,
  proposalActWords,
  sayProposalAwaited,
  sayProposalRefused,
  type ProposalAct
} from "./proposal-words.ts"
import { pageResponse } from "./response.ts"
import type { Fields } from "./urlencoded.ts"
import type { Visitor } from "./visitor.ts"

/** The person and the proposal of a page. */
export interface LookingAtProposal {
  readonly visitor: Visitor
  readonly model: SeenProposal
}

/** True where the act is available now. */
export const isOpenOnProposal = ({ view }: SeenProposal, act: ProposalAct): boolean =>
  view.availableActions.some((one) => one === act)

/** True for acts of this person, whether available now or blocked. */
export const isTheirsOnProposal = (model: SeenProposal, act: ProposalAct): boolean =>
  isOpenOnProposal(model, act) || model.view.blockedActions.some(({ action }) => action === act)

/** The page of an act that is not available now, as when its URL was bookmarked. It is no error. */
export const closedOnProposal = (
  act: ProposalAct,
  { visitor, model }: LookingAtProposal,
  typed: Content = null
): string =>
  page(
    { title: proposalActWords[act].name, viewer: visitor.viewer, place: "proposals" },
    paragraph("You cannot do this now: ", whyClosed(act, model)),
    ...currentState(model),
    typed,
    backLink(model)
  )

const whyClosed = (act: ProposalAct, { view }: SeenProposal): string => {
  const blocked = view.blockedActions.find(({ action }) => action === act)
  if (blocked !== undefined) return sayProposalAwaited(blocked)
  return (act === "RESPOND_PROPOSAL") === (view.role === "BUYER")
    ? "it requires a membership that permits writing, publishing and answering proposals."
    : "your role on this proposal does not permit it."
}

interface OutdatedForm {
  /** The head of the proposal when the page was shown. */
  readonly expectedProposalHead: string
  readonly fields: Fields
}

/** Shows the current state, the events since the page was shown, and the submitted values. */
export const changedOnProposal = (
  act: ProposalAct,
  { visitor, model }: LookingAtProposal,
  { expectedProposalHead, fields }: OutdatedForm
): string => {
  const { name, path } = proposalActWords[act]
  return page(
    { title: "The proposal has changed meanwhile", viewer: visitor.viewer, place: "proposals" },
    notice(
      "warning",
      paragraph(
        "Nothing was done: the page that you decided on showed an older state. Read what is new, then decide again."
      )
    ),
    section("Current state", ...currentState(model)),
    happenedSince(model, expectedProposalHead),
    isOpenOnProposal(model, act)
      ? nextStep(`${proposalPath(model.proposalId)}/${path}`, ["Open again: ", name])
      : paragraph(name, " is not possible now: ", whyClosed(act, model)),
    written(fields),
    backLink(model)
  )
}

/** Empty where the shown head is not among the events that the person may see. */
export const happenedSince = (model: SeenProposal, expectedProposalHead: string): Content => {
  const since = eventsSince(model, expectedProposalHead)
  return since.length === 0 ? null : section("What happened since", proposalTimeline(model, since))
}

export const eventsSince = ({ events }: SeenProposal, expectedProposalHead: string): SeenProposal["events"] => {
  const shown = events.findIndex(({ hash }) => hash === expectedProposalHead)
  return shown === -1 ? [] : events.slice(shown + 1)
}

interface RefusedForm {
  readonly title: string
  readonly refused: Refused
  readonly fields: Fields
}

/** A refusal together with the proposal that it concerns and the submitted values. */
export const refusedOnProposal = (
  { visitor, model }: LookingAtProposal,
  { title, refused, fields }: RefusedForm
): string =>
  page(
    { title: "This could not be done", viewer: visitor.viewer, place: "proposals" },
    paragraph(title, ": ", untrusted(sayProposalRefused(refused))),
    nextOfRefused(refused) === undefined ? null : paragraph(nextOfRefused(refused)),
    section("Current state", ...currentState(model)),
    written(fields),
    backLink(model)
  )

/** The same for a form on the proposal's own page; refusals that do not concern the proposal are passed on. */
export const showProposalRefused =
  (title: string, visitor: Visitor, proposalId: string, fields: Fields) => (refused: Refused) =>
    isShownRefused(refused)
      ? Effect.map(readSeenProposal(visitor, proposalId), (model) =>
          pageResponse(refusedOnProposal({ visitor, model }, { title, refused, fields }), statusOf(refused))
        )
      : Effect.fail(refused)

const currentState = (model: SeenProposal): ReadonlyArray<Content> => [titledProposal(model), standingFacts(model)]

const backLink = ({ proposalId }: SeenProposal): Content =>
  paragraph(linkTo(proposalPath(proposalId), "Go to the proposal"))
