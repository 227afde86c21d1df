/** The section of a project's page about the tasks of one party, with the form that invites a person to one. */
import type { Effect } from "effect"
import type { listProjectItems } from "../../participation/items.ts"
import { limits } from "../../vocabulary/limits.ts"
import { form } from "../kit/fields.ts"
import { controlsOf, linesField, lineField, optionalDayField } from "../kit/form-field.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { requestIdField, type PageForm } from "../kit/idempotent-form.ts"
import { itemStateLabels } from "../kit/labels.ts"
import type { Viewer } from "../kit/page.ts"
import { foldable, linkTo, paragraph, section, table, time } from "../kit/parts.ts"

export const taskFields = {
  title: lineField({ what: "The task", label: "Task", characters: limits.titleCharacters }),
  instructions: linesField({
    what: "The text of the instructions",
    label: "Instructions",
    characters: limits.instructionsCharacters
  }),
  due: optionalDayField({ what: "The day", label: "Due until the end of", hint: "A day in UTC." })
}

interface TaskContext {
  readonly path: `/workspace/${string}`
  readonly viewer: Viewer
  readonly items: Effect.Success<ReturnType<typeof listProjectItems>>
}

export const taskSection = ({ path, viewer, items }: TaskContext, { state, requestId }: PageForm): Element =>
  section(
    "Tasks of your party",
    table({
      caption: "Tasks",
      columns: ["Task", "Person", "State", "Due", "Notes"],
      rows: items.map(({ item, name }) => [
        linkTo(`${path}/tasks/${item.itemId}`, untrusted(item.title)),
        untrusted(name),
        itemStateLabels[item.state],
        item.dueAt === null ? "no day" : time(item.dueAt),
        String(item.noteCount)
      ]),
      empty: "No task has been accepted yet."
    }),
    foldable(
      { label: "Invite a person to a task", isOpen: state.problems.length > 0, isAct: true },
      form(
        { action: `${path}/tasks`, formToken: viewer.formToken, submitLabel: "Invite to the task, and show the code" },
        requestIdField(requestId),
        paragraph(
          "You get a code, which you send yourself. The person who accepts it sees only the task, nothing else of the project."
        ),
        Object.values(controlsOf(taskFields, state))
      )
    )
  )
