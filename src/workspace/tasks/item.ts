/** The facts of a task, shown to its person and to the party that gave it. */
import type { Effect } from "effect"
import type { readItemAsPerson } from "../../participation/items.ts"
import { untrustedLines, type Content, type Element } from "../kit/html.ts"
import { badge, facts, paragraph, section, time } from "../kit/parts.ts"
import { itemStateLabels } from "../kit/labels.ts"

export type TaskPageModel = Effect.Success<ReturnType<typeof readItemAsPerson>>

export const taskFacts = (
  { item }: TaskPageModel,
  more: ReadonlyArray<readonly [term: string, detail: Content]> = []
): Element =>
  facts([
    ["State", badge(item.state === "OPEN" ? "good" : "ended", itemStateLabels[item.state])],
    ["Instructions", untrustedLines(item.instructions)],
    ["Due", item.dueAt === null ? "no day" : time(item.dueAt)],
    ["Accepted", time(item.acceptedAt)],
    ...(item.endedAt === null ? [] : [["Ended", time(item.endedAt)] as const]),
    ...more
  ])

/** Notes are written by a program: they are statements neither of a person nor of this site. */
export const noteSection = ({ notes }: TaskPageModel): Element =>
  section(
    "Notes of the assistant",
    notes.length === 0
      ? "There is no note."
      : [
          "A program wrote these notes for the person who does the task. They are not verified.",
          notes.map(({ at, text }) => [paragraph(time(at), ":"), untrustedLines(text)])
        ]
  )
