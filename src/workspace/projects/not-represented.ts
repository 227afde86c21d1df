/**
 * The page of a project that names a person who represents no party of it now, such as a supplier without an
 * organization.
 */
import { Effect } from "effect"
import { addPartyNames } from "../../projects/party-names.ts"
import { readPartyProject } from "../../projects/party-projects.ts"
import { page } from "../kit/page.ts"
import { linkTo, notice, paragraph } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { titleWithIdentity } from "./identity.ts"

/** Refused where the project does not name the person. */
export const showNotRepresented = Effect.fnUntraced(function* ({ person, viewer }: Visitor, projectId: string) {
  const named = yield* addPartyNames([yield* readPartyProject(person, projectId)])
  return page(
    { title: "You represent no party of this project now", viewer, place: "projects" },
    named.map(titleWithIdentity),
    notice(
      "warning",
      "The agreement names you. To read it and act on it you need a membership in an organization that you act for. You have none, or you acted for the other party before."
    ),
    paragraph(linkTo("/workspace/account", "Create your own workspace"), ", or join an organization by its invitation.")
  )
})
