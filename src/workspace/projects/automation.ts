/** Pauses and resumes the agents of a project. */
import { Effect, Layer, Result, Schema } from "effect"
import { pauseProject, resumeProject } from "../../projects/automation.ts"
import { limits } from "../../vocabulary/limits.ts"
import { pathId } from "../kit/url-parameters.ts"
import { decodeForm } from "../kit/form.ts"
import { lines } from "../kit/form-values.ts"
import { showRefusedCommand } from "./command-refused.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { projectPath, showProject } from "./detail.ts"

const ReasonForm = Schema.Struct({ reason: lines("The reason", limits.textCharacters) })

const change = (name: "pause" | "resume") =>
  signedInForm(
    { path: `/workspace/projects/:projectId/${name}`, shownAt: "/workspace/projects/:projectId" },
    (visitor, sent) =>
      Effect.gen(function* () {
        const projectId = yield* pathId("projectId", "delivery")
        const { requestId, form } = yield* takeRequestId(sent)
        const decoded = yield* decodeForm(ReasonForm, form)
        if (Result.isFailure(decoded)) {
          const failed = { name: "automation", state: decoded.failure, requestId } as const
          return pageResponse(yield* showProject(visitor, projectId, { failed }), 400)
        }
        const { reason } = decoded.success
        const request = requestOf(visitor, requestId, `${name}Project`, { pathIds: [projectId], values: { reason } })
        return yield* changes[name](visitor.person, request, { projectId, reason }).pipe(
          Effect.as(seeOther(projectPath(projectId))),
          Effect.catchTag("Refusal", showRefusedCommand(titles[name], visitor, projectId, form.fields))
        )
      })
  )

const titles = { pause: "Pause agents", resume: "Resume agents" }

const changes = { pause: pauseProject, resume: resumeProject }

export const automationForms = Layer.mergeAll(change("pause"), change("resume"))
