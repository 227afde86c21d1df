/** What a person reads where an act on a project did not happen: because the project changed meanwhile, or may not. */
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

interface Refusing {
  readonly path: string
  readonly title: string
  readonly acts: ReadonlyArray<Act>
}

interface Looking {
  readonly visitor: Visitor
  readonly seen: SeenProject
}

interface Shown {
  /** The head of the page that the person decided on. */
  readonly expectedEventHash: string
  readonly fields: Fields
}

/** The project as it stands now, what happened since, and what the person had written, to be copied. */
export const changedPage = (
  { title, path, acts }: Refusing,
  { visitor, seen }: Looking,
  { expectedEventHash, fields }: Shown
): string => {
  const { events } = seen.project
  const shown = events.findIndex(({ hash }) => hash === expectedEventHash)
  const since = shown === -1 ? [] : events.slice(shown + 1)
  return page(
    { title: "The project has changed meanwhile", viewer: visitor.viewer, place: "projects" },
    notice(
      "warning",
      paragraph(
        "Nothing was done: you decided on a page that showed an older state. Read what is new, then decide again."
      )
    ),
    section("How it stands now", ...standing(seen)),
    since.length === 0 ? null : section("What happened since", timeline(seen, since)),
    isOpen(seen, acts)
      ? nextStep(`/workspace/projects/${seen.projectId}/${path}`, ["Open again: ", title])
      : paragraph(title, " is not possible now: ", whyClosed(seen, acts)),
    written(fields),
    paragraph(linkTo(`/workspace/projects/${seen.projectId}`, "Go to the project"))
  )
}

interface RefusedForm {
  readonly refused: Refused
  readonly fields: Fields
}

/** What is told beside the project that it is about; the rest is not of the project. */
export const isShownRefused = (refused: Refused): boolean =>
  refused.code === "RECENT_SIGN_IN_REQUIRED" || [400, 403, 409].includes(statusOf(refused))

/** A refusal of something on a project, beside the project that it is about, with what the person had written. */
export const refusedPage = (
  { title, path, acts = [] }: Partial<Refusing> & Pick<Refusing, "title">,
  { visitor, seen }: Looking,
  { refused, fields }: RefusedForm
): string => {
  const rule = refusals[refused.code]
  const { dueAt } = errorBody(refused)
  const project = `/workspace/projects/${seen.projectId}` as const
  return page(
    { title: "This could not be done", viewer: visitor.viewer, place: "projects" },
    paragraph(title, ": ", sayRefused(refused, seen, acts)),
    dueAt === undefined || !isInstant(dueAt) ? null : paragraph("The date was ", time(dueAt), "."),
    "nextAction" in rule ? paragraph(nextSteps[rule.nextAction]) : null,
    refused.code === "RECENT_SIGN_IN_REQUIRED"
      ? nextStep(signInAgainPath(path === undefined ? project : `${project}/${path}`), "Sign in again")
      : null,
    section("How it stands now", ...standing(seen)),
    written(fields),
    paragraph(linkTo(project, "Go to the project"))
  )
}

/** The same for what a form on the project's own page asked for; what is not of the project is refused on. */
export const showRefused = (title: string, visitor: Visitor, projectId: string, fields: Fields) => (refused: Refused) =>
  isShownRefused(refused)
    ? Effect.map(readSeenProject(visitor, projectId), (seen) =>
        pageResponse(refusedPage({ title }, { visitor, seen }, { refused, fields }), statusOf(refused))
      )
    : Effect.fail(refused)

/** What the refusal says of itself; where the state has no move for the act, it says that in the names of agents. */
const sayRefused = ({ code, facts: { detail } }: Refused, seen: SeenProject, acts: ReadonlyArray<Act>): Content => {
  const isRuledOut = code === "STATE_CONFLICT" && acts.length > 0 && !isMovable(seen, acts)
  return detail === undefined || isRuledOut ? sayBlocked(code) : untrusted(detail)
}

const isMovable = ({ project }: SeenProject, acts: ReadonlyArray<Act>): boolean =>
  possibilities.some(({ act, move }) => acts.includes(act) && canMove(project.state, move))

const standing = (seen: SeenProject): ReadonlyArray<Content> => [titledIdentity(seen.named), stepFacts(seen)]
