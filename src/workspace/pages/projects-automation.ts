/** Pauses and resumes the agents of a project. */
import { Effect, Layer, Result, Schema } from "effect"
import { pauseProject, resumeProject } from "../../projects/automation.ts"
import { limits } from "../../vocabulary/limits.ts"
import { pathId } from "../address.ts"
import { decodeForm } from "../form.ts"
import { lines } from "../form-values.ts"
import { showRefused } from "../project-act-refused.ts"
import { requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm } from "../signed-in.ts"
import { projectPath, showProject } from "./projects-detail.ts"

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
          Effect.catchTag("Refused", showRefused(titles[name], visitor, projectId, form.fields))
        )
      })
  )

const titles = { pause: "Pause agents", resume: "Resume agents" }

const changes = { pause: pauseProject, resume: resumeProject }

export const automationForms = Layer.mergeAll(change("pause"), change("resume"))
