/** Invites the supplier's representative of an agreement that names none. */
import { Effect, Schema } from "effect"
import { inviteRepresentative } from "../../projects/representative.ts"
import { showRefused } from "../commands/outcome-pages.ts"
import { sectionForm } from "../commands/subject.ts"
import { decodeForm } from "../kit/form.ts"
import { showInvitationCode } from "../organization/invitation-code.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { projectPath } from "./path.ts"
import { projects } from "./subject.ts"

const Nothing = Schema.Struct({})

export const representativeForm = sectionForm(
  projects,
  "/representative",
  Effect.fnUntraced(function* (visitor, projectId, sent) {
    const { requestId, form } = yield* takeRequestId(sent)
    yield* decodeForm(Nothing, form)
    const request = requestOf(visitor, requestId, "inviteRepresentative", { pathIds: [projectId] })
    return yield* inviteRepresentative(visitor.person, request, { projectId }).pipe(
      Effect.flatMap((invitation) =>
        showInvitationCode(visitor, invitation, {
          title: "Invitation of the supplier",
          place: "projects",
          back: [projectPath(projectId), "Go to the project"]
        })
      ),
      Effect.catchTag(
        "Refusal",
        showRefused(projects, "Invite the supplier", { visitor, id: projectId, fields: form.fields })
      )
    )
  })
)
