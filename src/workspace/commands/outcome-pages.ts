/** The pages of a command that was not carried out: not available now, changed meanwhile, or refused. */
import { Effect } from "effect"
import { isInstant } from "../../vocabulary/instant.ts"
import { errorBody, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import type { Content } from "../kit/html.ts"
import { signInAgainPath } from "../kit/local-path.ts"
import { page } from "../kit/page.ts"
import { linkTo, nextStep, notice, paragraph, section, time } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import { submittedValues } from "../kit/submitted-values.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import { awaitedStepText } from "./blocked-reasons.ts"
import {
  isAvailable,
  subjectPath,
  type ActLabel,
  type HintedModel,
  type PageContext,
  type Subject,
  type SubjectPages
} from "./subject.ts"

/** The acts of a page; the first one names it. */
export type Acts<Act> = readonly [Act, ...ReadonlyArray<Act>]

/** The page of an act that is not available now, as when its URL was bookmarked. It is no error. */
export const unavailablePage = <Model extends HintedModel, Act extends string>(
  subject: SubjectPages<Model, Act>,
  acts: Acts<Act>,
  { visitor, model }: PageContext<Model>,
  /** The values of a form that had no effect, for the person to copy. */
  entered: Content = null
): string =>
  page(
    { title: subject.acts[acts[0]].name, viewer: visitor.viewer, place: subject.place },
    paragraph("You cannot do this now: ", unavailableReason(subject, acts, model)),
    subject.titleOf(model),
    subject.stateFacts(model),
    entered,
    backLink(subject, model)
  )

/** Why none of these acts is available now. */
const unavailableReason = <Model extends HintedModel, Act extends string>(
  subject: SubjectPages<Model, Act>,
  acts: ReadonlyArray<string>,
  model: Model
): string => {
  const blocked = model.view.blockedActions.find(({ action }) => acts.includes(action))
  return blocked === undefined ? subject.missingReason(model, acts) : awaitedStepText(subject.blockedReason, blocked)
}

interface OutdatedForm {
  /** The head of the subject when the page was shown. */
  readonly expectedHead: string
  readonly fields: Fields
}

/** Shows the current state, the events since the page was shown, and the submitted values. */
export const outdatedPage = <Model extends HintedModel, Act extends string>(
  subject: SubjectPages<Model, Act>,
  acts: Acts<Act>,
  { visitor, model }: PageContext<Model>,
  { expectedHead, fields }: OutdatedForm
): string => {
  const { name, path } = subject.acts[acts[0]]
  const { id } = subject.versionOf(model)
  return page(
    { title: `The ${subject.name} has changed meanwhile`, viewer: visitor.viewer, place: subject.place },
    notice(
      "warning",
      paragraph(
        "Nothing was done: the page that you decided on showed an older state. Read what is new, then decide again."
      )
    ),
    currentState(subject, model),
    subject.eventsSince(model, expectedHead),
    isAvailable(model, acts)
      ? nextStep(`${subjectPath(subject, id)}/${path}`, ["Open again: ", name])
      : paragraph(name, " is not possible now: ", unavailableReason(subject, acts, model)),
    submittedValues(fields),
    backLink(subject, model)
  )
}

interface RefusedForm {
  readonly label: Pick<ActLabel, "name"> & Partial<ActLabel>
  /** The acts of the form; empty where it concerns none, as a pause of the agents. */
  readonly acts: ReadonlyArray<string>
  readonly refused: Refusal
  readonly fields: Fields
}

/** A refusal together with the subject that it concerns and the submitted values. */
export const refusedPage = <Model extends HintedModel, Act extends string>(
  subject: SubjectPages<Model, Act>,
  { visitor, model }: PageContext<Model>,
  { label: { name, path }, acts, refused, fields }: RefusedForm
): string => {
  const { dueAt } = errorBody(refused)
  const step = subject.refusalStep(refused)
  const own = subjectPath(subject, subject.versionOf(model).id)
  return page(
    { title: "This could not be done", viewer: visitor.viewer, place: subject.place },
    paragraph(name, ": ", subject.refusalText(refused, model, acts)),
    dueAt === undefined || !isInstant(dueAt) ? null : paragraph("The deadline was ", time(dueAt), "."),
    step === undefined ? null : paragraph(step),
    refused.code === "RECENT_SIGN_IN_REQUIRED"
      ? nextStep(signInAgainPath(path === undefined ? own : `${own}/${path}`), "Sign in again")
      : null,
    currentState(subject, model),
    submittedValues(fields),
    backLink(subject, model)
  )
}

/** True for refusals that are shown together with the subject; other refusals get a page of their own. */
export const isShownWithSubject = (refused: Refusal): boolean =>
  refused.code === "RECENT_SIGN_IN_REQUIRED" || [400, 403, 409].includes(statusOf(refused))

/** Shows the refusal of a form on the subject's own page; refusals that do not concern the subject are passed on. */
export const showRefused =
  <Model extends HintedModel, Act extends string, Command, R>(
    subject: Subject<Model, Act, Command, R>,
    name: string,
    { visitor, id, fields }: { readonly visitor: Visitor; readonly id: string; readonly fields: Fields }
  ) =>
  (refused: Refusal) =>
    isShownWithSubject(refused)
      ? Effect.map(subject.read(visitor, id), (model) =>
          pageResponse(
            refusedPage(subject, { visitor, model }, { label: { name }, acts: [], refused, fields }),
            statusOf(refused)
          )
        )
      : Effect.fail(refused)

const currentState = <Model extends HintedModel, Act extends string>(
  subject: SubjectPages<Model, Act>,
  model: Model
): Content => section("Current state", subject.titleOf(model), subject.stateFacts(model))

export const backLink = <Model extends HintedModel, Act extends string>(
  subject: SubjectPages<Model, Act>,
  model: Model
): Content => paragraph(linkTo(subjectPath(subject, subject.versionOf(model).id), `Go to the ${subject.name}`))
