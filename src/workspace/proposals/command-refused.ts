/** The pages after a failed command on a proposal: unavailable, changed meanwhile, or refused. */
import { Effect } from "effect"
import { statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, nextStep, notice, paragraph, section } from "../kit/parts.ts"
import { isShownOnPage } from "../projects/command-refused.ts"
import { submittedValues } from "../kit/submitted-values.ts"
import { proposalPath, proposalStateFacts, proposalTitleWithIdentity } from "./identity.ts"
import { readProposalPageModel, type ProposalPageModel } from "./read-model.ts"
import { proposalTimeline } from "./timeline.ts"
import {
  nextStepOfRefusal,
  proposalActLabels,
  proposalAwaitedStepText,
  proposalRefusalText,
  type ProposalAct
} from "./labels.ts"
import { pageResponse } from "../kit/response.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"

/** The person and the proposal of a page. */
export interface ProposalPageContext {
  readonly visitor: Visitor
  readonly model: ProposalPageModel
}

/** True where the act is available now. */
export const isProposalActAvailable = ({ view }: ProposalPageModel, act: ProposalAct): boolean =>
  view.availableActions.some((one) => one === act)

/** True for acts of this person, whether available now or blocked. */
export const isOwnProposalAct = (model: ProposalPageModel, act: ProposalAct): boolean =>
  isProposalActAvailable(model, act) || model.view.blockedActions.some(({ action }) => action === act)

/** The page of an act that is not available now, as when its URL was bookmarked. It is no error. */
export const unavailableProposalPage = (
  act: ProposalAct,
  { visitor, model }: ProposalPageContext,
  typed: Content = null
): string =>
  page(
    { title: proposalActLabels[act].name, viewer: visitor.viewer, place: "proposals" },
    paragraph("You cannot do this now: ", whyClosed(act, model)),
    ...currentState(model),
    typed,
    backLink(model)
  )

const whyClosed = (act: ProposalAct, { view }: ProposalPageModel): string => {
  const blocked = view.blockedActions.find(({ action }) => action === act)
  if (blocked !== undefined) return proposalAwaitedStepText(blocked)
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
export const staleProposalPage = (
  act: ProposalAct,
  { visitor, model }: ProposalPageContext,
  { expectedProposalHead, fields }: OutdatedForm
): string => {
  const { name, path } = proposalActLabels[act]
  return page(
    { title: "The proposal has changed meanwhile", viewer: visitor.viewer, place: "proposals" },
    notice(
      "warning",
      paragraph(
        "Nothing was done: the page that you decided on showed an older state. Read what is new, then decide again."
      )
    ),
    section("Current state", ...currentState(model)),
    eventsSinceSection(model, expectedProposalHead),
    isProposalActAvailable(model, act)
      ? nextStep(`${proposalPath(model.proposalId)}/${path}`, ["Open again: ", name])
      : paragraph(name, " is not possible now: ", whyClosed(act, model)),
    submittedValues(fields),
    backLink(model)
  )
}

/** Empty where the shown head is not among the events that the person may see. */
export const eventsSinceSection = (model: ProposalPageModel, expectedProposalHead: string): Content => {
  const since = eventsSince(model, expectedProposalHead)
  return since.length === 0 ? null : section("What happened since", proposalTimeline(model, since))
}

export const eventsSince = (
  { events }: ProposalPageModel,
  expectedProposalHead: string
): ProposalPageModel["events"] => {
  const shown = events.findIndex(({ hash }) => hash === expectedProposalHead)
  return shown === -1 ? [] : events.slice(shown + 1)
}

interface RefusedForm {
  readonly title: string
  readonly refused: Refusal
  readonly fields: Fields
}

/** A refusal together with the proposal that it concerns and the submitted values. */
export const refusedProposalPage = (
  { visitor, model }: ProposalPageContext,
  { title, refused, fields }: RefusedForm
): string =>
  page(
    { title: "This could not be done", viewer: visitor.viewer, place: "proposals" },
    paragraph(title, ": ", untrusted(proposalRefusalText(refused))),
    nextStepOfRefusal(refused) === undefined ? null : paragraph(nextStepOfRefusal(refused)),
    section("Current state", ...currentState(model)),
    submittedValues(fields),
    backLink(model)
  )

/** The same for a form on the proposal's own page; refusals that do not concern the proposal are passed on. */
export const showRefusedProposalCommand =
  (title: string, visitor: Visitor, proposalId: string, fields: Fields) => (refused: Refusal) =>
    isShownOnPage(refused)
      ? Effect.map(readProposalPageModel(visitor, proposalId), (model) =>
          pageResponse(refusedProposalPage({ visitor, model }, { title, refused, fields }), statusOf(refused))
        )
      : Effect.fail(refused)

const currentState = (model: ProposalPageModel): ReadonlyArray<Content> => [
  proposalTitleWithIdentity(model),
  proposalStateFacts(model)
]

const backLink = ({ proposalId }: ProposalPageModel): Content =>
  paragraph(linkTo(proposalPath(proposalId), "Go to the proposal"))
