/** What a person reads where an act on a proposal did not happen: because it cannot now, changed meanwhile, or may not. */
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

/** Who looks, at what. */
export interface LookingAtProposal {
  readonly visitor: Visitor
  readonly seen: SeenProposal
}

/** True where the act can be done now. */
export const isOpenOnProposal = ({ view }: SeenProposal, act: ProposalAct): boolean =>
  view.availableActions.some((one) => one === act)

/** True for the acts of this person, whether they can be done now or not. */
export const isTheirsOnProposal = (seen: SeenProposal, act: ProposalAct): boolean =>
  isOpenOnProposal(seen, act) || seen.view.blockedActions.some(({ action }) => action === act)

/** An address that was kept, or opened once more: nothing is wrong, there is only nothing to do. */
export const closedOnProposal = (
  act: ProposalAct,
  { visitor, seen }: LookingAtProposal,
  typed: Content = null
): string =>
  page(
    { title: proposalActWords[act].name, viewer: visitor.viewer, place: "proposals" },
    paragraph("You cannot do this now: ", whyClosed(act, seen)),
    ...standing(seen),
    typed,
    goBack(seen)
  )

const whyClosed = (act: ProposalAct, { view }: SeenProposal): string => {
  const blocked = view.blockedActions.find(({ action }) => action === act)
  if (blocked !== undefined) return sayProposalAwaited(blocked)
  return (act === "RESPOND_PROPOSAL") === (view.role === "BUYER")
    ? "it takes a membership that lets you write, send and answer proposals."
    : "it is not yours to do on this proposal."
}

interface Shown {
  /** The head of the page that the person decided on. */
  readonly expectedProposalHead: string
  readonly fields: Fields
}

/** The proposal as it stands now, what happened since, and what the person had written, to be copied. */
export const changedOnProposal = (
  act: ProposalAct,
  { visitor, seen }: LookingAtProposal,
  { expectedProposalHead, fields }: Shown
): string => {
  const { name, path } = proposalActWords[act]
  return page(
    { title: "The proposal has changed meanwhile", viewer: visitor.viewer, place: "proposals" },
    notice(
      "warning",
      paragraph(
        "Nothing was done: you decided on a page that showed an older state. Read what is new, then decide again."
      )
    ),
    section("How it stands now", ...standing(seen)),
    happenedSince(seen, expectedProposalHead),
    isOpenOnProposal(seen, act)
      ? nextStep(`${proposalPath(seen.proposalId)}/${path}`, ["Open again: ", name])
      : paragraph(name, " is not possible now: ", whyClosed(act, seen)),
    written(fields),
    goBack(seen)
  )
}

/** Whoever began on a state that they are not shown is told nothing of what came before it. */
export const happenedSince = (seen: SeenProposal, expectedProposalHead: string): Content => {
  const since = eventsSince(seen, expectedProposalHead)
  return since.length === 0 ? null : section("What happened since", proposalTimeline(seen, since))
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

/** A refusal of something on a proposal, beside the proposal that it is about, with what the person had written. */
export const refusedOnProposal = (
  { visitor, seen }: LookingAtProposal,
  { title, refused, fields }: RefusedForm
): string =>
  page(
    { title: "This could not be done", viewer: visitor.viewer, place: "proposals" },
    paragraph(title, ": ", untrusted(sayProposalRefused(refused))),
    nextOfRefused(refused) === undefined ? null : paragraph(nextOfRefused(refused)),
    section("How it stands now", ...standing(seen)),
    written(fields),
    goBack(seen)
  )

/** The same for what a form on the proposal's own page asked for; what is not of the proposal is refused on. */
export const showProposalRefused =
  (title: string, visitor: Visitor, proposalId: string, fields: Fields) => (refused: Refused) =>
    isShownRefused(refused)
      ? Effect.map(readSeenProposal(visitor, proposalId), (seen) =>
          pageResponse(refusedOnProposal({ visitor, seen }, { title, refused, fields }), statusOf(refused))
        )
      : Effect.fail(refused)

const standing = (seen: SeenProposal): ReadonlyArray<Content> => [titledProposal(seen), standingFacts(seen)]

const goBack = ({ proposalId }: SeenProposal): Content =>
  paragraph(linkTo(proposalPath(proposalId), "Go to the proposal"))
