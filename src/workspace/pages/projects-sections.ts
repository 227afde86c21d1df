/** The parts of a project's page that carry forms. */
import type { Effect } from "effect"
import type { listProjectItems } from "../../participation/items.ts"
import type { SidedProject } from "../../projects/sides.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { form, textArea, textField, type FormState } from "../fields.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../html.ts"
import type { Viewer } from "../page.ts"
import { linkTo, paragraph, section, table, time } from "../parts.ts"
import { requestIdField } from "../request-form.ts"
import { itemStateWords, roleWords } from "../words.ts"

interface SentOnce {
  readonly state: FormState
  readonly requestId: string
}

interface Part {
  readonly path: `/workspace/${string}`
  readonly viewer: Viewer
}

interface AutomationPart extends Part {
  readonly project: Pick<SidedProject, "pauses" | "role">
  /** Where it is no project. */
  readonly title?: string
  /** Who paused, in the order of the pauses. */
  readonly pausedBy: ReadonlyArray<Content>
  readonly mayChange: boolean
}

export const automationSection = (
  { path, viewer, project, pausedBy, mayChange, title = "Agents on this project" }: AutomationPart,
  { state, requestId }: SentOnce
): Element => {
  const { pauses, role } = project
  const isOwn = pauses.some(({ side }) => side === role)
  return section(
    title,
    pauses.map(({ side, at, reason }, index) => [
      paragraph(
        `Paused for the ${roleWords[side].toLowerCase()} by `,
        pausedBy[index],
        " on ",
        time(at as Instant),
        ":"
      ),
      untrustedLines(reason)
    ]),
    pauses.length === 0 ? paragraph("Agents of both sides may act, as far as they were let.") : null,
    mayChange
      ? [
          paragraph(
            isOwn
              ? "When you resume them, agents act again unless the other side holds a pause of its own."
              : "A pause stops the agents of both sides at once, until your side resumes them. People go on."
          ),
          form(
            {
              action: `${path}/${isOwn ? "resume" : "pause"}`,
              formToken: viewer.formToken,
              submitLabel: isOwn ? "Resume agents" : "Pause agents"
            },
            requestIdField(requestId),
            textArea(state, {
              name: "reason",
              label: "Reason",
              hint: "Both sides and their agents read it.",
              rows: 2,
              maxLength: limits.textCharacters
            })
          )
        ]
      : paragraph("To pause or resume them takes a membership that lets agents act.")
  )
}

export const representativeSection = (path: Part["path"], viewer: Viewer, requestId: string): Element =>
  section(
    "The supplier",
    paragraph(
      "No person is named as the supplier yet. Invite one: you get a code, which you send yourself. Whoever has it can read the whole agreement, and become the person who answers and delivers for the supplier, by themselves or by their agents."
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

interface TaskPart extends Part {
  readonly items: Effect.Success<ReturnType<typeof listProjectItems>>
}

export const taskSection = ({ path, viewer, items }: TaskPart, { state, requestId }: SentOnce): Element =>
  section(
    "Tasks that your side gave out",
    table({
      caption: "Tasks",
      columns: ["Task", "Person", "State", "Due", "Notes"],
      rows: items.map(({ item, name }) => [
        linkTo(`${path}/tasks/${item.itemId}`, untrusted(item.title)),
        untrusted(name),
        itemStateWords[item.state],
        item.dueAt === null ? "no day" : time(item.dueAt),
        String(item.noteCount)
      ]),
      empty: "Nobody has accepted a task yet."
    }),
    form(
      { action: `${path}/tasks`, formToken: viewer.formToken, submitLabel: "Invite to the task, and show the code" },
      requestIdField(requestId),
      paragraph(
        "You get a code, which you send yourself. Whoever accepts it sees the task, and nothing of the project."
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
