/** The tasks of one party of a project: invites a person, shows notes, and withdraws a task. */
import { Effect, Layer, Result, Schema } from "effect"
import { inviteParticipant } from "../../participation/invitations.ts"
import { readItemAsPerson, withdrawItem } from "../../participation/items.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { showRefused } from "../commands/outcome-pages.ts"
import { sectionForm } from "../commands/subject.ts"
import { pathId } from "../kit/url-parameters.ts"
import { checkbox } from "../kit/choices.ts"
import { emptyForm, form, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { line, lines, requiredCheckbox, optionalDay } from "../kit/form-values.ts"
import { untrusted } from "../kit/html.ts"
import { showInvitationCode } from "../organization/invitation-code.ts"
import { page } from "../kit/page.ts"
import { rejectPastDate } from "../kit/expired-date.ts"
import { linkTo, paragraph, section } from "../kit/parts.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { noteSection, taskFacts, type TaskPageModel } from "../tasks/item.ts"
import { showProject } from "./detail.ts"
import { projectPath } from "./path.ts"
import { projects } from "./subject.ts"

const Task = Schema.Struct({
  title: line("The task", limits.titleCharacters),
  instructions: lines("The text of the instructions", limits.instructionsCharacters),
  due: optionalDay("The day")
})

const invite = sectionForm(
  projects,
  "/tasks",
  Effect.fnUntraced(function* (visitor, projectId, sent) {
    const { requestId, form } = yield* takeRequestId(sent)
    const decoded = yield* rejectPastDate(yield* decodeForm(Task, form), form, ["due", "The day"])
    if (Result.isFailure(decoded)) {
      const failed = { name: "task", state: decoded.failure, requestId } as const
      return pageResponse(yield* showProject(visitor, projectId, { failed }), 400)
    }
    const { title, instructions, due } = decoded.success
    const terms = { title, instructions, dueAt: due ?? null }
    const request = requestOf(visitor, requestId, "inviteParticipant", { pathIds: [projectId], values: terms })
    return yield* inviteParticipant(visitor.person, request, { projectId, ...terms }).pipe(
      Effect.flatMap((invitation) =>
        showInvitationCode(visitor, invitation, {
          title: "Invitation to a task",
          place: "projects",
          back: [projectPath(projectId), "Go to the project"]
        })
      ),
      Effect.catchTag(
        "Refusal",
        showRefused(projects, "Invite to the task", { visitor, id: projectId, fields: form.fields })
      )
    )
  })
)

const address = "/workspace/projects/:projectId/tasks/:itemId"

/** Reads an item only under the path of its own project. */
const readTask = Effect.fnUntraced(function* ({ person }: Visitor) {
  const projectId = yield* pathId("projectId", "delivery")
  const model = yield* readItemAsPerson(person, yield* pathId("itemId", "item"))
  return model.item.projectId === projectId ? model : yield* refuse("NOT_FOUND")
})

const showTask = signedInPage(address, (visitor) =>
  Effect.map(readTask(visitor), (model) => pageResponse(taskPage(visitor, model, emptyForm)))
)

const taskPage = ({ viewer }: Visitor, model: TaskPageModel, state: FormState): string => {
  const { itemId, projectId, title, state: itemState } = model.item
  return page(
    { title, viewer, place: "projects", problems: state.problems },
    taskFacts(model, [["Person", untrusted(model.name)]]),
    noteSection(model),
    itemState !== "OPEN"
      ? null
      : section(
          "Withdraw the task",
          paragraph("The person no longer has the task, and the assistant stops at once. The notes remain."),
          form(
            {
              action: `${projectPath(projectId)}/tasks/${itemId}/withdraw`,
              formToken: viewer.formToken,
              submitLabel: "Withdraw",
              isDangerous: true
            },
            checkbox(state, { name: "confirmed", label: "I withdraw this task. It cannot be taken back." })
          )
        ),
    paragraph(linkTo(projectPath(projectId), "Go to the project"))
  )
}

const Withdrawal = Schema.Struct({ confirmed: requiredCheckbox("Tick the box to withdraw the task.") })

const withdraw = signedInForm({ path: `${address}/withdraw`, shownAt: address }, (visitor, sent) =>
  Effect.gen(function* () {
    const model = yield* readTask(visitor)
    const decoded = yield* decodeForm(Withdrawal, sent)
    if (Result.isFailure(decoded)) return pageResponse(taskPage(visitor, model, decoded.failure), 400)
    const { itemId, projectId } = model.item
    yield* withdrawItem(visitor.person, itemId)
    return seeOther(`${projectPath(projectId)}/tasks/${itemId}`)
  })
)

export const projectTasks = Layer.mergeAll(invite, showTask, withdraw)
