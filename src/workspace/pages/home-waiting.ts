/** Pending actions of a person: on projects, proposals and accepted tasks. */
import { Effect } from "effect"
import { listItems } from "../../participation/items.ts"
import { readStanding } from "../../people/standing.ts"
import { listProposalsAsPerson } from "../../proposals/person-operations.ts"
import { listProjects } from "../../projects/sides.ts"
import { newestFirst, readNextActions } from "../../projects/whole.ts"
import { untrusted, type Element } from "../html.ts"
import { linkTo, paragraph, section, table, time } from "../parts.ts"
import { stepOf } from "../project-words.ts"
import type { Visitor } from "../visitor.ts"
import { projectPath } from "./projects-detail.ts"
import { answersTable, isWaiting } from "./proposals-waiting.ts"

export const waitingSection = Effect.fnUntraced(function* (person: Visitor["person"]) {
  const items = (yield* listItems(person)).filter(({ state }) => state === "OPEN")
  const projects = yield* listProjects(person)
  const steps = yield* readNextActions(person, projects)
  const needing = projects.filter(({ projectId }) => steps.get(projectId)?.viewer === "NEEDS_YOU")
  const { memberships } = yield* readStanding(person)
  const proposals = (yield* listProposalsAsPerson(person)).filter(
    (one) => one.role === "BUYER" && isWaiting(one, memberships)
  )
  return section(
    "Waiting for you",
    items.length + needing.length + proposals.length === 0 ? paragraph("Nothing waits for you.") : null,
    needing.length === 0
      ? null
      : table({
          caption: "Projects that need your action",
          columns: ["Project", "What is next"],
          rows: needing
            .toSorted(newestFirst)
            .map(({ projectId, title, role }) => [
              linkTo(projectPath(projectId), untrusted(title)),
              stepOf(steps.get(projectId)?.action ?? "", role)?.own
            ]),
          empty: ""
        }),
    answersTable(proposals),
    items.length === 0 ? null : tasks(items)
  )
})

type Items = Effect.Success<ReturnType<typeof listItems>>

const tasks = (items: Items): ReadonlyArray<Element> => [
  table({
    caption: "Tasks that you accepted",
    columns: ["Task", "Due"],
    rows: items.map(({ itemId, title, dueAt }) => [
      linkTo(`/workspace/tasks/${itemId}`, untrusted(title)),
      dueAt === null ? "No date" : time(dueAt)
    ]),
    empty: ""
  }),
  paragraph(linkTo("/workspace/tasks", "Open your tasks"))
]
