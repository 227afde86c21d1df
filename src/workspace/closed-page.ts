/** The page of an act that cannot be done now: an address that was kept, or opened once more. Nothing is wrong with it. */
import type { Act } from "../projects/acts.ts"
import { page } from "./page.ts"
import { linkTo, paragraph } from "./parts.ts"
import { titledIdentity } from "./project-identity.ts"
import { stepFacts, whyClosed } from "./project-next.ts"
import type { SeenProject } from "./project-seen.ts"
import { written } from "./project-written.ts"
import type { Fields } from "./urlencoded.ts"
import type { Visitor } from "./visitor.ts"

interface Closed {
  readonly title: string
  readonly acts: ReadonlyArray<Act>
}

interface Looking {
  readonly visitor: Visitor
  readonly seen: SeenProject
}

/** What was entered in a form that came too late is shown to be copied. */
export const closedPage = ({ title, acts }: Closed, { visitor, seen }: Looking, fields: Fields = {}): string =>
  page(
    { title, viewer: visitor.viewer, place: "projects" },
    paragraph("You cannot do this now: ", whyClosed(seen, acts)),
    titledIdentity(seen.named),
    stepFacts(seen),
    written(fields),
    paragraph(linkTo(`/workspace/projects/${seen.projectId}`, "Go to the project"))
  )
