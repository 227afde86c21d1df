/** Pending actions of a person: on projects, proposals, public summaries, Result Orders and accepted tasks. */
import { Effect } from "effect"
import { listOrdersWaiting } from "../../commerce/waiting.ts"
import { listItems } from "../../participation/items.ts"
import { readProfile } from "../../people/profile.ts"
import { listProposalsAsPerson } from "../../proposals/person-operations.ts"
import { listPublicationsToApprove } from "../../publications/operations.ts"
import { listNextActions } from "../../projects/party-projects.ts"
import { limits } from "../../vocabulary/limits.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { linkTo, paragraph, section, table, time } from "../kit/parts.ts"
import { waitingOrdersTable } from "../orders/waiting.ts"
import { awaitingApprovalTable } from "../projects/awaiting-approval.ts"
import { nextActionText } from "../projects/labels.ts"
import type { Visitor } from "../kit/visitor.ts"
import { projectPath } from "../projects/path.ts"
import { awaitingAnswerTable, awaitsPerson } from "../proposals/awaiting-response.ts"

export const pendingActionsSection = Effect.fnUntraced(function* (person: Visitor["person"]) {
  const items = (yield* listItems(person)).filter(({ state }) => state === "OPEN")
  const { projects, next } = yield* listNextActions(person, { after: undefined, limit: limits.projectsListed })
  const needing = projects.filter(({ nextAction }) => nextAction.viewer === "NEEDS_YOU")
  const { memberships } = yield* readProfile(person)
  const proposals = (yield* listProposalsAsPerson(person)).filter(
    (one) => one.role === "BUYER" && awaitsPerson(one, memberships)
  )
  const summaries = yield* listPublicationsToApprove(person)
  const waiting = yield* listOrdersWaiting(memberships)
  const count = items.length + needing.length + proposals.length + summaries.length + waiting.orders.length
  return section(
    "Waiting for you",
    count === 0 ? "Nothing waits for you." : null,
    needing.length === 0
      ? null
      : table({
          caption: "Projects that need your action",
          columns: ["Project", "What is next"],
          rows: needing.map(({ projectId, title, role, nextAction }) => [
            linkTo(projectPath(projectId), untrusted(title)),
            nextActionText(nextAction.action, role)?.own
          ]),
          empty: ""
        }),
    next === null
      ? null
      : paragraph(
          `Older projects than your newest ${limits.projectsListed.toLocaleString("en")} are not among them. `,
          linkTo("/workspace/projects", "See all your projects")
        ),
    awaitingAnswerTable(proposals),
    awaitingApprovalTable(summaries),
    waitingOrdersTable(waiting),
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
