/** The page of an act that is not available now, as when its URL was bookmarked. It is no error. */
import type { Act } from "../projects/acts.ts"
import { page } from "./page.ts"
import { linkTo, paragraph } from "./parts.ts"
import { titledIdentity } from "./project-identity.ts"
import { stepFacts, whyClosed } from "./project-next.ts"
import type { SeenProject } from "./project-seen.ts"
import { written } from "./project-written.ts"
import type { Fields } from "./urlencoded.ts"
import type { Visitor } from "./visitor.ts"

interface UnavailableAct {
  readonly title: string
  readonly acts: ReadonlyArray<Act>
}

interface PageContext {
  readonly visitor: Visitor
  readonly model: SeenProject
}

/** The values of a rejected form are shown, so that the person can copy them. */
export const closedPage = (
  { title, acts }: UnavailableAct,
  { visitor, model }: PageContext,
  fields: Fields = {}
): string =>
  page(
    { title, viewer: visitor.viewer, place: "projects" },
    paragraph("You cannot do this now: ", whyClosed(model, acts)),
    titledIdentity(model.named),
    stepFacts(model),
    written(fields),
    paragraph(linkTo(`/workspace/projects/${model.projectId}`, "Go to the project"))
  )
