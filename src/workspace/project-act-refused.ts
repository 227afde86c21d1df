/** What a person reads where an act on a project did not happen: because the project changed meanwhile, or may not. */
import type { Act } from "../projects/acts.ts"
import { errorBody, refusals, type Refused } from "../vocabulary/refusals.ts"
import { isInstant } from "../vocabulary/instant.ts"
import type { Fields } from "./urlencoded.ts"
import { untrusted, untrustedLines, type Content } from "./html.ts"
import { nextSteps } from "./next-steps.ts"
import { page } from "./page.ts"
import { linkTo, nextStep, notice, paragraph, section, time } from "./parts.ts"
import { titledIdentity } from "./project-identity.ts"
import { isOpen, stepFacts, whyClosed } from "./project-next.ts"
import type { SeenProject } from "./project-seen.ts"
import { timeline } from "./project-timeline.ts"
import { sayBlocked } from "./project-words.ts"
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

/** A refusal of an act, beside the project that it is about. */
export const refusedPage = ({ title }: Refusing, { visitor, seen }: Looking, refused: Refused): string => {
  const rule = refusals[refused.code]
  const { dueAt } = errorBody(refused)
  return page(
    { title: "This could not be done", viewer: visitor.viewer, place: "projects" },
    paragraph(title, ": ", sayRefused(refused, seen)),
    dueAt === undefined || !isInstant(dueAt) ? null : paragraph("The date was ", time(dueAt), "."),
    "nextAction" in rule ? paragraph(nextSteps[rule.nextAction]) : null,
    section("How it stands now", ...standing(seen)),
    paragraph(linkTo(`/workspace/projects/${seen.projectId}`, "Go to the project"))
  )
}

/** What the refusal says of itself, where it does not say it in the names that agents know. */
const sayRefused = ({ code, facts: { detail } }: Refused, { project }: SeenProject): Content =>
  detail === undefined || detail.includes(project.state) ? sayBlocked(code) : untrusted(detail)

const standing = (seen: SeenProject): ReadonlyArray<Content> => [titledIdentity(seen.named), stepFacts(seen)]

/** Free texts are as long as a person took to write them. */
const written = (fields: Fields): Content => {
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "string" &&
    value.trim() !== "" &&
    /^(?:reason|summary|nextAction|note|files|references)/.test(name)
      ? [value]
      : []
  )
  return texts.length === 0
    ? null
    : section(
        "What you had written",
        paragraph("It was not kept: copy what you still need."),
        texts.map(untrustedLines)
      )
}
