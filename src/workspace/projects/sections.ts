/** The sections of a project's page that contain forms. */
import type { Effect } from "effect"
import type { listProjectItems } from "../../participation/items.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { PageForm } from "../commands/subject.ts"
import { form, textArea, textField } from "../kit/fields.ts"
import { untrusted, type Element } from "../kit/html.ts"
import type { Viewer } from "../kit/page.ts"
import { linkTo, paragraph, section, table, time } from "../kit/parts.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import { itemStateLabels } from "../kit/labels.ts"

interface SectionContext {
  readonly path: `/workspace/${string}`
  readonly viewer: Viewer
}

export const representativeSection = (path: SectionContext["path"], viewer: Viewer, requestId: string): Element =>
  section(
    "The supplier",
    paragraph(
      "No person is named for the supplier yet. Invite one: you get a code, which you send yourself. Any person who has it can read the whole agreement and become the supplier’s representative, who answers and delivers in person or by agents."
    ),
    form(
      {
        action: `${path}/representative`,
        formToken: viewer.formToken,
        submitLabel: "Invite the supplier, and show the code"
      },
      requestIdField(requestId)
    )
  )

interface TaskContext extends SectionContext {
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
    form(
      { action: `${path}/tasks`, formToken: viewer.formToken, submitLabel: "Invite to the task, and show the code" },
      requestIdField(requestId),
      paragraph(
        "You get a code, which you send yourself. The person who accepts it sees only the task, nothing else of the project."
      ),
      textField(state, { name: "title", label: "Task", maxLength: limits.titleCharacters }),
      textArea(state, { name: "instructions", label: "Instructions", maxLength: limits.instructionsCharacters }),
      textField(state, {
        name: "due",
        label: "Due until the end of",
        hint: "A day in UTC.",
        type: "date",
        isOptional: true,
        size: "short"
      })
    )
  )
