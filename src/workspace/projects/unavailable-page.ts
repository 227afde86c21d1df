/** The page of an act that is not available now, as when its URL was bookmarked. It is no error. */
import type { Act } from "../../projects/moves.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { titleWithIdentity } from "./identity.ts"
import { stepFacts, unavailableReason } from "./next-action.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { submittedValues } from "../kit/submitted-values.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"

interface UnavailableAct {
  readonly title: string
  readonly acts: ReadonlyArray<Act>
}

interface PageContext {
  readonly visitor: Visitor
  readonly model: ProjectPageModel
}

/** The values of a rejected form are shown, so that the person can copy them. */
export const unavailablePage = (
  { title, acts }: UnavailableAct,
  { visitor, model }: PageContext,
  fields: Fields = {}
): string =>
  page(
    { title, viewer: visitor.viewer, place: "projects" },
    paragraph("You cannot do this now: ", unavailableReason(model, acts)),
    titleWithIdentity(model.named),
    stepFacts(model),
    submittedValues(fields),
    paragraph(linkTo(`/workspace/projects/${model.projectId}`, "Go to the project"))
  )
