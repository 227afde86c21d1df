/** The sections of a project's page that contain forms. */
import type { Effect } from "effect"
import type { listProjectItems } from "../../participation/items.ts"
import type { PartyProject } from "../../projects/party-projects.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { form, textArea, textField, type FormState } from "../kit/fields.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import type { Viewer } from "../kit/page.ts"
import { linkTo, paragraph, section, table, time } from "../kit/parts.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import { itemStateLabels, roleLabels } from "../kit/labels.ts"

interface PageForm {
  readonly state: FormState
  readonly requestId: string
}

interface SectionContext {
  readonly path: `/workspace/${string}`
  readonly viewer: Viewer
}

interface AutomationContext extends SectionContext {
  readonly project: Pick<PartyProject, "pauses" | "role">
  /** The title, where the subject is not a project. */
  readonly title?: string
  /** The actors of the pauses, in the same order. */
  readonly pausedBy: ReadonlyArray<Content>
  readonly mayChange: boolean
}

export const automationSection = (
  { path, viewer, project, pausedBy, mayChange, title = "Agents on this project" }: AutomationContext,
  { state, requestId }: PageForm
): Element => {
  const { pauses, role } = project
  const isOwn = pauses.some(({ side }) => side === role)
  return section(
    title,
    pauses.map(({ side, at, reason }, index) => [
      paragraph(
        `Paused for the ${roleLabels[side].toLowerCase()} by `,
        pausedBy[index],
        " on ",
        time(at as Instant),
        ":"
      ),
      untrustedLines(reason)
    ]),
    pauses.length === 0 ? paragraph("Agents of both parties may act, within their grants.") : null,
    mayChange
      ? [
          paragraph(
            isOwn
              ? "After you resume them, agents can act again unless the other party has paused them too."
              : "A pause stops the agents of both parties at once, until your party resumes them. People can continue."
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
              hint: "Both parties and their agents read it.",
              rows: 2,
              maxLength: limits.textCharacters
            })
          )
        ]
      : paragraph("Pausing or resuming them requires a membership that permits delegating to agents.")
  )
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
