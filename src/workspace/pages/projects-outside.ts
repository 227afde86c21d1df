/** A project that names a person who stands for nobody on it now: as a supplier without an organization to supply for. */
import { Effect } from "effect"
import { nameParties } from "../../projects/named.ts"
import { readSidedProject } from "../../projects/sides.ts"
import { page } from "../page.ts"
import { linkTo, notice, paragraph } from "../parts.ts"
import { titledIdentity } from "../project-identity.ts"
import type { Visitor } from "../visitor.ts"

/** Refused where the project does not name the person either. */
export const showOutside = Effect.fnUntraced(function* ({ person, viewer }: Visitor, projectId: string) {
  const named = yield* nameParties([yield* readSidedProject(person, projectId)])
  return page(
    { title: "You stand for no side of it now", viewer, place: "projects" },
    named.map(titledIdentity),
    notice(
      "warning",
      paragraph(
        "The agreement names you. To read it and to act on it you need a membership in an organization that you act for, and you have none here, or took part for the other side before."
      )
    ),
    paragraph(
      linkTo("/workspace/account", "Make a workspace of your own"),
      ", or join an organization by its invitation."
    )
  )
})
