/** Invites the supplier's representative of an agreement that names none. */
import { Effect } from "effect"
import { inviteRepresentative } from "../../projects/representative.ts"
import { sectionForm } from "../commands/section-form.ts"
import { form } from "../kit/fields.ts"
import type { Element } from "../kit/html.ts"
import { requestIdField, requestOf } from "../kit/idempotent-form.ts"
import { section } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { showInvitationCode } from "../organization/invitation-code.ts"
import { projectPath } from "./path.ts"
import { projects } from "./subject.ts"

export const representativeSection = (projectId: string, { viewer }: Visitor, requestId: string): Element =>
  section(
    "The supplier",
    "No person is named for the supplier yet. Invite one: you get a code, which you send yourself. Any person who has it can read the whole agreement and become the supplier’s representative, who answers and delivers in person or by agents.",
    form(
      {
        action: `${projectPath(projectId)}/representative`,
        formToken: viewer.formToken,
        submitLabel: "Invite the supplier, and show the code"
      },
      requestIdField(requestId)
    )
  )

export const representativeForm = sectionForm(projects, {
  path: "/representative",
  name: "Invite the supplier",
  fields: {},
  run: ({ visitor, id: projectId, requestId }) =>
    inviteRepresentative(
      visitor.person,
      requestOf(visitor, requestId, "inviteRepresentative", { pathIds: [projectId] }),
      { projectId }
    ).pipe(
      Effect.flatMap((invitation) =>
        showInvitationCode(visitor, invitation, {
          title: "Invitation of the supplier",
          place: "projects",
          back: [projectPath(projectId), "Go to the project"]
        })
      )
    )
})
