/** The list of a person's accepted tasks. */
import { Effect, Layer } from "effect"
import { listItems } from "../../participation/items.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph, table, time } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { itemStateLabels } from "../kit/labels.ts"
import { taskPage, taskPath } from "./task.ts"

const showTasks = signedInPage("/workspace/tasks", ({ person, viewer }) =>
  Effect.map(listItems(person), (items) =>
    page(
      { title: "My tasks", viewer, place: "tasks" },
      table({
        caption: "Tasks that I accepted",
        columns: ["Task", "State", "Due", "Notes", "Accepted"],
        rows: items.map(({ itemId, title, state, dueAt, noteCount, acceptedAt }) => [
          linkTo(taskPath(itemId), untrusted(title)),
          itemStateLabels[state],
          dueAt === null ? "no day" : time(dueAt),
          String(noteCount),
          time(acceptedAt)
        ]),
        empty: "You have accepted no task yet."
      }),
      paragraph("Were you sent an invitation? ", linkTo("/workspace/join", "Enter its code"), ".")
    )
  )
)

export const taskPages = Layer.mergeAll(showTasks, taskPage)
