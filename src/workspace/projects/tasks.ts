/** The tasks of one party of a project: invites a person, shows notes, and withdraws a task. */
import { Effect, Layer } from "effect"
import { inviteParticipant } from "../../participation/invitations.ts"
import { listProjectItemPage, readItemAsPerson, withdrawItem } from "../../participation/items.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { sectionForm } from "../commands/section-form.ts"
import { subjectPage } from "../commands/subject.ts"
import { confirmationForm, decodeConfirmation } from "../kit/confirmation.ts"
import { rejectPastDate } from "../kit/expired-date.ts"
import { emptyForm, type FormState } from "../kit/fields.ts"
import { formPage } from "../kit/form-page.ts"
import { untrusted } from "../kit/html.ts"
import { requestOf } from "../kit/idempotent-form.ts"
import { listPage } from "../kit/list.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph, section } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { pathId } from "../kit/url-parameters.ts"
import type { Visitor } from "../kit/visitor.ts"
import { showInvitationCode } from "../organization/invitation-code.ts"
import { noteSection, taskFacts, type TaskPageModel } from "../tasks/item.ts"
import { showProject } from "./detail.ts"
import { partyTasksPath, projectPath } from "./path.ts"
import { projects } from "./subject.ts"
import { taskColumns, taskFields } from "./task-section.ts"

const invite = sectionForm(projects, {
  path: "/tasks",
  name: "Invite to the task",
  fields: taskFields,
  check: (decoded, form) => rejectPastDate(decoded, form, ["due", "The day"]),
  showAgain: (visitor, id, failed) => showProject(visitor, id, { name: "task", ...failed }),
  run: ({ visitor, id: projectId, requestId, values: { title, instructions, due } }) => {
    const terms = { title, instructions, dueAt: due ?? null }
    const request = requestOf(visitor, requestId, "inviteParticipant", { pathIds: [projectId], values: terms })
    return Effect.flatMap(inviteParticipant(visitor.person, request, { projectId, ...terms }), (invitation) =>
      showInvitationCode(visitor, invitation, {
        title: "Invitation to a task",
        place: "projects",
        back: [projectPath(projectId), "Go to the project"]
      })
    )
  }
})

const partyTasks = subjectPage(projects, "/tasks-of-party", ({ person, viewer }, projectId) =>
  listPage({
    title: "Tasks of your party",
    viewer,
    place: "projects",
    list: {
      name: "tasks-of-party",
      path: partyTasksPath(projectId),
      caption: "Tasks that your party gave, newest first",
      columns: taskColumns(projectId),
      empty: "No task has been accepted yet."
    },
    read: ({ turn }) => listProjectItemPage(person, projectId, { ...turn, limit: limits.itemsOnPage }),
    after: paragraph(linkTo(projectPath(projectId), "Go to the project"))
  })
)

const address = "/workspace/projects/:projectId/tasks/:itemId"

/** Reads an item only under the path of its own project. */
const readTask = Effect.fnUntraced(function* ({ person }: Visitor) {
  const projectId = yield* pathId("projectId", "delivery")
  const model = yield* readItemAsPerson(person, yield* pathId("itemId", "item"))
  return model.item.projectId === projectId ? model : yield* refuse("NOT_FOUND")
})

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
          "The person no longer has the task, and the assistant stops at once. The notes remain.",
          confirmationForm(state, {
            action: `${projectPath(projectId)}/tasks/${itemId}/withdraw`,
            formToken: viewer.formToken,
            submitLabel: "Withdraw",
            isDangerous: true,
            statement: "I withdraw this task. It cannot be taken back."
          })
        ),
    paragraph(linkTo(projectPath(projectId), "Go to the project"))
  )
}

const showTask = signedInPage(address, (visitor) =>
  Effect.map(readTask(visitor), (model) => taskPage(visitor, model, emptyForm))
)

const withdraw = formPage(
  { path: `${address}/withdraw`, shownAt: address },
  {
    read: readTask,
    decode: decodeConfirmation("Tick the box to withdraw the task."),
    show: (visitor, model, { state }) => Effect.succeed(taskPage(visitor, model, state)),
    run: ({ visitor, subject: { item } }) =>
      Effect.as(withdrawItem(visitor.person, item.itemId), {
        did: "You withdrew the task.",
        next: "The person no longer has it, and its assistant has stopped."
      })
  }
)

export const projectTasks = Layer.mergeAll(invite, partyTasks, showTask, withdraw)
