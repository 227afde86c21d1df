/** Invites the supplier's representative of an agreement that names none. */
import { Effect, Schema } from "effect"
import { inviteRepresentative } from "../../projects/representative.ts"
import { pathId } from "../kit/url-parameters.ts"
import { decodeForm } from "../kit/form.ts"
import { showInvitationCode } from "../organization/invitation-code.ts"
import { showRefusedCommand } from "./command-refused.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { projectPath } from "./detail.ts"

const Nothing = Schema.Struct({})

export const representativeForm = signedInForm(
  { path: "/workspace/projects/:projectId/representative", shownAt: "/workspace/projects/:projectId" },
  (visitor, sent) =>
    Effect.gen(function* () {
      const projectId = yield* pathId("projectId", "delivery")
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
        Effect.catchTag("Refusal", showRefusedCommand("Invite the supplier", visitor, projectId, form.fields))
      )
    })
)
