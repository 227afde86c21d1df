/** The list of a person's accepted tasks. */
import { Layer, type Effect } from "effect"
import type { ItemState } from "../../participation/item.ts"
import { listItemPage } from "../../participation/items.ts"
import { limits } from "../../vocabulary/limits.ts"
import { labelFilter } from "../kit/filters.ts"
import { untrusted } from "../kit/html.ts"
import { itemStateLabels } from "../kit/labels.ts"
import { listPage, type List } from "../kit/list.ts"
import { linkTo, paragraph, time } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { taskPage, taskPath } from "./task.ts"

const showTasks = signedInPage("/workspace/tasks", ({ person, viewer }) =>
  listPage({
    title: "My tasks",
    viewer,
    place: "tasks",
    list: taskList,
    read: ({ valueOf, turn }) =>
      listItemPage(person, valueOf("state") as ItemState | undefined, { ...turn, limit: limits.itemsOnPage }),
    after: paragraph("Were you sent an invitation? ", linkTo("/workspace/join", "Enter its code"), ".")
  })
)

type ListedTask = Effect.Success<ReturnType<typeof listItemPage>>["items"][number]

const taskList: List<ListedTask> = {
  name: "tasks",
  path: "/workspace/tasks",
  caption: "Tasks that I accepted, newest first",
  columns: [
    { heading: "Task", cell: ({ itemId, title }) => linkTo(taskPath(itemId), untrusted(title)) },
    { heading: "State", cell: ({ state }) => itemStateLabels[state] },
    { heading: "Due", cell: ({ dueAt }) => (dueAt === null ? "no day" : time(dueAt)) },
    { heading: "Notes", cell: ({ noteCount }) => String(noteCount) },
    { heading: "Accepted", cell: ({ acceptedAt }) => time(acceptedAt) }
  ],
  filters: [labelFilter("state", "State", itemStateLabels)],
  empty: "You have accepted no task yet."
}

export const taskPages = Layer.mergeAll(showTasks, taskPage)
