/** The section of a project's page about the tasks of one party, with the form that invites a person to one. */
import type { Effect } from "effect"
import type { listProjectItemPage } from "../../participation/items.ts"
import { limits } from "../../vocabulary/limits.ts"
import { form } from "../kit/fields.ts"
import { controlsOf, linesField, lineField, optionalDayField } from "../kit/form-field.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { requestIdField, type PageForm } from "../kit/idempotent-form.ts"
import { itemStateLabels } from "../kit/labels.ts"
import type { Viewer } from "../kit/page.ts"
import type { ListColumn } from "../kit/list.ts"
import { foldable, linkTo, paragraph, section, table, time } from "../kit/parts.ts"
import { partyTasksPath, projectPath } from "./path.ts"

export const taskFields = {
  title: lineField({ what: "The task", label: "Task", characters: limits.titleCharacters }),
  instructions: linesField({
    what: "The text of the instructions",
    label: "Instructions",
    characters: limits.instructionsCharacters
  }),
  due: optionalDayField({ what: "The day", label: "Due until the end of", hint: "A day in UTC." })
}

type PartyTasks = Effect.Success<ReturnType<typeof listProjectItemPage>>

interface TaskContext {
  readonly projectId: string
  readonly viewer: Viewer
  /** The newest page of them. */
  readonly tasks: PartyTasks
}

export const taskColumns = (projectId: string): ReadonlyArray<ListColumn<PartyTasks["items"][number]>> => [
  {
    heading: "Task",
    cell: ({ item }) => linkTo(`${projectPath(projectId)}/tasks/${item.itemId}`, untrusted(item.title))
  },
  { heading: "Person", cell: ({ name }) => untrusted(name) },
  { heading: "State", cell: ({ item }) => itemStateLabels[item.state] },
  { heading: "Due", cell: ({ item: { dueAt } }) => (dueAt === null ? "no day" : time(dueAt)) },
  { heading: "Notes", cell: ({ item }) => String(item.noteCount) }
]

export const taskSection = (
  { projectId, viewer, tasks: { items, older } }: TaskContext,
  { state, requestId }: PageForm
): Element =>
  section(
    "Tasks of your party",
    table({
      caption: "Tasks",
      columns: taskColumns(projectId).map(({ heading }) => heading),
      rows: items.map((task) => taskColumns(projectId).map(({ cell }) => cell(task))),
      empty: "No task has been accepted yet."
    }),
    older === null ? null : paragraph(linkTo(partyTasksPath(projectId), "All tasks of your party")),
    foldable(
      { label: "Invite a person to a task", isOpen: state.problems.length > 0, isAct: true },
      form(
        {
          action: `${projectPath(projectId)}/tasks`,
          formToken: viewer.formToken,
          submitLabel: "Invite to the task, and show the code"
        },
        requestIdField(requestId),
        paragraph(
          "You get a code, which you send yourself. The person who accepts it sees only the task, nothing else of the project."
        ),
        Object.values(controlsOf(taskFields, state))
      )
    )
  )
