/** What follows a command: the subject's page, or a page that says why it was not carried out. */
import { isInstant } from "../../vocabulary/instant.ts"
import { errorBody, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import type { Content } from "../kit/html.ts"
import { signInAgainPath } from "../kit/local-path.ts"
import { page, type Acknowledgement } from "../kit/page.ts"
import { linkTo, nextStep, notice, paragraph, section, time } from "../kit/parts.ts"
import { refusedResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { awaitedStepText } from "./next-acts.ts"
import { isAvailable, subjectPath, type ActLabel, type PageContext, type SubjectView } from "./subject.ts"

/** The subject's page, which says what was done. A failed e-mail to the other party does not fail the command. */
export const respondAfterCommand = (
  visitor: Visitor,
  place: SubjectView["place"],
  { id, emailUpdate }: { readonly id: string; readonly emailUpdate?: string | undefined },
  acknowledgement: Acknowledgement
) =>
  acknowledge(
    visitor,
    subjectPath({ place }, id),
    emailUpdate === "FAILED" ? { ...acknowledgement, warning: emailFailedText } : acknowledgement
  )

const emailFailedText =
  "The e-mail that notifies the other party could not be sent. Your action is still valid: notify them yourself."

/** The acts of a page; the first one names it. */
export type Acts<Act extends string = string> = readonly [Act, ...ReadonlyArray<Act>]

/** The page of an act that is not available now, as when its URL was bookmarked. It is no error. */
export const unavailablePage = (
  { visitor, view }: PageContext,
  acts: Acts,
  /** The texts of a form that had no effect, for the person to copy. */
  entered: Content = null
): string =>
  page(
    { title: labelOf(view, acts).name, viewer: visitor.viewer, place: view.place },
    paragraph("You cannot do this now: ", unavailableReason(view, acts)),
    view.title(),
    view.stateFacts(),
    entered,
    backLink(view)
  )

export const labelOf = ({ acts }: Pick<SubjectView, "acts">, [first]: Acts): ActLabel => acts[first]!

/** Why none of these acts is available now. */
const unavailableReason = (view: SubjectView, acts: Acts): string => {
  const blocked = view.hints.blockedActions.find(({ action }) => acts.includes(action))
  return blocked === undefined ? view.missingReason(acts) : awaitedStepText(view, blocked)
}

/** Shows the current state, the events since the page with this head was shown, and the entered texts. */
export const outdatedPage = (
  { visitor, view }: PageContext,
  acts: Acts,
  expectedHead: string,
  entered: Content
): string => {
  const { name, path } = labelOf(view, acts)
  return page(
    { title: `The ${view.name} has changed meanwhile`, viewer: visitor.viewer, place: view.place },
    outdatedNotice,
    currentState(view),
    view.eventsSince(expectedHead),
    isAvailable(view, acts)
      ? nextStep(`${subjectPath(view, view.id)}/${path}`, ["Open again: ", name])
      : paragraph(name, " is not possible now: ", unavailableReason(view, acts)),
    entered,
    backLink(view)
  )
}

export const outdatedNotice = notice(
  "warning",
  "Nothing was done: the page that you decided on showed an older state. Read what is new, then decide again."
)

interface RefusedForm {
  readonly label: Pick<ActLabel, "name"> & Partial<Pick<ActLabel, "path">>
  /** The acts of the form; empty where it concerns none, as a pause of the agents. */
  readonly acts: ReadonlyArray<string>
  readonly refused: Refusal
  readonly entered: Content
}

/** A refusal together with the subject that it concerns and the entered texts. */
export const refusedPage = ({ visitor, view }: PageContext, { label, acts, refused, entered }: RefusedForm) => {
  const { name, path } = label
  const { dueAt } = errorBody(refused)
  const step = view.refusalStep(refused)
  const own = subjectPath(view, view.id)
  return refusedResponse(
    page(
      { title: "This could not be done", viewer: visitor.viewer, place: view.place },
      paragraph(name, ": ", view.refusalText(refused, acts)),
      dueAt === undefined || !isInstant(dueAt) ? null : paragraph("The deadline was ", time(dueAt), "."),
      step,
      refused.code === "RECENT_SIGN_IN_REQUIRED"
        ? nextStep(signInAgainPath(path === undefined ? own : `${own}/${path}`), "Sign in again")
        : null,
      currentState(view),
      entered,
      backLink(view)
    ),
    refused
  )
}

/** True for refusals that are shown together with the subject; other refusals get a page of their own. */
export const isShownWithSubject = (refused: Refusal): boolean =>
  refused.code === "RECENT_SIGN_IN_REQUIRED" || [400, 403, 409].includes(statusOf(refused))

const currentState = (view: SubjectView): Content => section("Current state", view.title(), view.stateFacts())

export const backLink = (view: SubjectView): Content =>
  paragraph(linkTo(subjectPath(view, view.id), `Go to the ${view.name}`))
