/** The pages after a failed command on a project: the project has changed meanwhile, or the command was refused. */
import { Effect } from "effect"
import { possibilities } from "../../projects/acts.ts"
import { type Act, canMove } from "../../projects/moves.ts"
import { refusals } from "../../vocabulary/refusal-rules.ts"
import { errorBody, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { signInAgainPath } from "../kit/local-path.ts"
import { nextSteps } from "../kit/next-steps.ts"
import { page } from "../kit/page.ts"
import { linkTo, nextStep, notice, paragraph, section, time } from "../kit/parts.ts"
import { titleWithIdentity } from "./identity.ts"
import { isAvailable, stepFacts, unavailableReason } from "./next-action.ts"
import { readProjectPageModel, type ProjectPageModel } from "./read-model.ts"
import { timeline } from "./timeline.ts"
import { blockedReasonText } from "./labels.ts"
import { submittedValues } from "../kit/submitted-values.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"

interface RefusedAct {
  readonly path: string
  readonly title: string
  readonly acts: ReadonlyArray<Act>
}

interface PageContext {
  readonly visitor: Visitor
  readonly model: ProjectPageModel
}

interface OutdatedForm {
  /** The head of the project when the page was shown. */
  readonly expectedEventHash: string
  readonly fields: Fields
}

/** Shows the current state, the events since the page was shown, and the submitted values. */
export const staleProjectPage = (
  { title, path, acts }: RefusedAct,
  { visitor, model }: PageContext,
  { expectedEventHash, fields }: OutdatedForm
): string => {
  const { events } = model.project
  const shown = events.findIndex(({ hash }) => hash === expectedEventHash)
  const since = shown === -1 ? [] : events.slice(shown + 1)
  return page(
    { title: "The project has changed meanwhile", viewer: visitor.viewer, place: "projects" },
    notice(
      "warning",
      paragraph(
        "Nothing was done: the page that you decided on showed an older state. Read what is new, then decide again."
      )
    ),
    section("Current state", ...currentState(model)),
    since.length === 0 ? null : section("What happened since", timeline(model, since)),
    isAvailable(model, acts)
      ? nextStep(`/workspace/projects/${model.projectId}/${path}`, ["Open again: ", title])
      : paragraph(title, " is not possible now: ", unavailableReason(model, acts)),
    submittedValues(fields),
    paragraph(linkTo(`/workspace/projects/${model.projectId}`, "Go to the project"))
  )
}

interface RefusedForm {
  readonly refused: Refusal
  readonly fields: Fields
}

/** True for refusals that are shown together with the project; other refusals get a page of their own. */
export const isShownOnPage = (refused: Refusal): boolean =>
  refused.code === "RECENT_SIGN_IN_REQUIRED" || [400, 403, 409].includes(statusOf(refused))

/** A refusal together with the project that it concerns and the submitted values. */
export const refusedCommandPage = (
  { title, path, acts = [] }: Partial<RefusedAct> & Pick<RefusedAct, "title">,
  { visitor, model }: PageContext,
  { refused, fields }: RefusedForm
): string => {
  const rule = refusals[refused.code]
  const { dueAt } = errorBody(refused)
  const project = `/workspace/projects/${model.projectId}` as const
  return page(
    { title: "This could not be done", viewer: visitor.viewer, place: "projects" },
    paragraph(title, ": ", refusalText(refused, model, acts)),
    dueAt === undefined || !isInstant(dueAt) ? null : paragraph("The deadline was ", time(dueAt), "."),
    "nextAction" in rule ? paragraph(nextSteps[rule.nextAction]) : null,
    refused.code === "RECENT_SIGN_IN_REQUIRED"
      ? nextStep(signInAgainPath(path === undefined ? project : `${project}/${path}`), "Sign in again")
      : null,
    section("Current state", ...currentState(model)),
    submittedValues(fields),
    paragraph(linkTo(project, "Go to the project"))
  )
}

/** The same for a form on the project's own page; refusals that do not concern the project are passed on. */
export const showRefusedCommand =
  (title: string, visitor: Visitor, projectId: string, fields: Fields) => (refused: Refusal) =>
    isShownOnPage(refused)
      ? Effect.map(readProjectPageModel(visitor, projectId), (model) =>
          pageResponse(refusedCommandPage({ title }, { visitor, model }, { refused, fields }), statusOf(refused))
        )
      : Effect.fail(refused)

/**
 * The detail of the refusal; where the state rules the act out, the wording for persons replaces the one for agents.
 */
const refusalText = (
  { code, facts: { detail } }: Refusal,
  model: ProjectPageModel,
  acts: ReadonlyArray<Act>
): Content => {
  const isRuledOut = code === "STATE_CONFLICT" && acts.length > 0 && !isPossibleInState(model, acts)
  return detail === undefined || isRuledOut ? blockedReasonText(code) : untrusted(detail)
}

const isPossibleInState = ({ project }: ProjectPageModel, acts: ReadonlyArray<Act>): boolean =>
  possibilities.some(({ act, move }) => acts.includes(act) && canMove(project.state, move))

const currentState = (model: ProjectPageModel): ReadonlyArray<Content> => [
  titleWithIdentity(model.named),
  stepFacts(model)
]
