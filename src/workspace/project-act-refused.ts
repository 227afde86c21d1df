/** The pages after a failed command on a project: the project has changed meanwhile, or the command was refused. */
import { Effect } from "effect"
import { possibilities, type Act } from "../projects/acts.ts"
import { canMove } from "../projects/project.ts"
import { refusals } from "../vocabulary/refusal-rules.ts"
import { errorBody, statusOf, type Refused } from "../vocabulary/refusals.ts"
import { isInstant } from "../vocabulary/instant.ts"
import type { Fields } from "./urlencoded.ts"
import { untrusted, type Content } from "./html.ts"
import { signInAgainPath } from "./local-path.ts"
import { nextSteps } from "./next-steps.ts"
import { page } from "./page.ts"
import { linkTo, nextStep, notice, paragraph, section, time } from "./parts.ts"
import { titledIdentity } from "./project-identity.ts"
import { isOpen, stepFacts, whyClosed } from "./project-next.ts"
import { readSeenProject, type SeenProject } from "./project-seen.ts"
import { timeline } from "./project-timeline.ts"
import { sayBlocked } from "./project-words.ts"
import { written } from "./project-written.ts"
import { pageResponse } from "./response.ts"
import type { Visitor } from "./visitor.ts"

interface RefusedAct {
  readonly path: string
  readonly title: string
  readonly acts: ReadonlyArray<Act>
}

interface PageContext {
  readonly visitor: Visitor
  readonly model: SeenProject
}

interface OutdatedForm {
  /** The head of the project when the page was shown. */
  readonly expectedEventHash: string
  readonly fields: Fields
}

/** Shows the current state, the events since the page was shown, and the submitted values. */
export const changedPage = (
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
    isOpen(model, acts)
      ? nextStep(`/workspace/projects/${model.projectId}/${path}`, ["Open again: ", title])
      : paragraph(title, " is not possible now: ", whyClosed(model, acts)),
    written(fields),
    paragraph(linkTo(`/workspace/projects/${model.projectId}`, "Go to the project"))
  )
}

interface RefusedForm {
  readonly refused: Refused
  readonly fields: Fields
}

/** True for refusals that are shown together with the project; other refusals get a page of their own. */
export const isShownRefused = (refused: Refused): boolean =>
  refused.code === "RECENT_SIGN_IN_REQUIRED" || [400, 403, 409].includes(statusOf(refused))

/** A refusal together with the project that it concerns and the submitted values. */
export const refusedPage = (
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
    written(fields),
    paragraph(linkTo(project, "Go to the project"))
  )
}

/** The same for a form on the project's own page; refusals that do not concern the project are passed on. */
export const showRefused = (title: string, visitor: Visitor, projectId: string, fields: Fields) => (refused: Refused) =>
  isShownRefused(refused)
    ? Effect.map(readSeenProject(visitor, projectId), (model) =>
        pageResponse(refusedPage({ title }, { visitor, model }, { refused, fields }), statusOf(refused))
      )
    : Effect.fail(refused)

/**
 * The detail of the refusal; where the state rules the act out, the wording for persons replaces the one for agents.
 */
const refusalText = ({ code, facts: { detail } }: Refused, model: SeenProject, acts: ReadonlyArray<Act>): Content => {
  const isRuledOut = code === "STATE_CONFLICT" && acts.length > 0 && !isPossibleInState(model, acts)
  return detail === undefined || isRuledOut ? sayBlocked(code) : untrusted(detail)
}

const isPossibleInState = ({ project }: SeenProject, acts: ReadonlyArray<Act>): boolean =>
  possibilities.some(({ act, move }) => acts.includes(act) && canMove(project.state, move))

const currentState = (model: SeenProject): ReadonlyArray<Content> => [titledIdentity(model.named), stepFacts(model)]
