/** What waits for a person: on projects, proposals, public summaries, Result Orders and accepted tasks. */
import { Effect } from "effect"
import { listOrdersWaiting } from "../../commerce/waiting.ts"
import { listItemPage } from "../../participation/items.ts"
import { listProposalPage } from "../../proposals/person-operations.ts"
import { listPublicationsToApprove } from "../../publications/operations.ts"
import { listNextActions } from "../../projects/newest-projects.ts"
import { isEnded } from "../../projects/moves.ts"
import { states } from "../../projects/project.ts"
import { isInstant, type Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { amountText } from "../../vocabulary/money.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { lines } from "../kit/list.ts"
import { linkTo, list, paragraph, section, time } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { waitingTexts } from "../orders/labels.ts"
import { orderPath, ordersPath } from "../orders/path.ts"
import type { Membership } from "../organization/own-membership.ts"
import { nextActionText } from "../projects/labels.ts"
import { projectPath } from "../projects/path.ts"
import { awaitsPerson } from "../proposals/awaiting-response.ts"
import { proposalPath } from "../proposals/identity.ts"
import { proposalStateLabels } from "../proposals/labels.ts"
import { proposalsPath } from "../proposals/path.ts"
import { taskPath } from "../tasks/task.ts"

/** One thing that waits for the person. */
interface WaitingItem {
  readonly kind: keyof typeof kinds
  readonly path: `/workspace/${string}`
  readonly title: string
  readonly next: Content
  readonly dueAt: Instant | null
}

/** By kind: one, several, and the list that has all of them; summaries are on the pages of their projects. */
const kinds = {
  project: ["project", "projects", "/workspace/projects"],
  proposal: ["proposal", "proposals", proposalsPath],
  summary: ["public summary", "public summaries", "/workspace/projects"],
  order: ["Result Order", "Result Orders", ordersPath],
  task: ["task", "tasks", "/workspace/tasks"]
} as const

/** Everything that waits for the person, the most urgent first, and what was not searched for it. */
export const readWaiting = Effect.fnUntraced(function* (
  person: Visitor["person"],
  memberships: ReadonlyArray<Membership>
) {
  const all = { limit: limits.projectsListed }
  const { items: projects, older: olderProject } = yield* listNextActions(
    person,
    memberships,
    { states: states.filter((state) => !isEnded(state)) },
    all
  )
  const { items: proposals, older: olderProposal } = yield* listProposalPage(
    person,
    { side: "BUYER", state: "PUBLISHED" },
    all
  )
  const { items: tasks, older: olderTask } = yield* listItemPage(person, "OPEN", all)
  const summaries = yield* listPublicationsToApprove(person)
  const { orders, isTruncated } = yield* listOrdersWaiting(memberships)
  const items: ReadonlyArray<WaitingItem> = [
    ...projects
      .filter(({ nextAction }) => nextAction.viewer === "NEEDS_YOU")
      .map(({ projectId, title, role, nextAction: { action, dueAt } }) => ({
        kind: "project" as const,
        path: projectPath(projectId),
        title,
        next: nextActionText(action, role)?.own,
        dueAt: dueAt !== null && isInstant(dueAt) ? dueAt : null
      })),
    ...tasks.map(({ itemId, title, dueAt }) => ({
      kind: "task" as const,
      path: taskPath(itemId),
      title,
      next: "You accepted this task.",
      dueAt
    })),
    ...proposals
      .filter((one) => awaitsPerson(one, memberships))
      .map(({ id, title, state }) => ({
        kind: "proposal" as const,
        path: proposalPath(id),
        title,
        next: proposalStateLabels[state].BUYER.step,
        dueAt: null
      })),
    ...orders.map(({ resultOrderId, title, reason, amountMinor, currency, otherParty }) => ({
      kind: "order" as const,
      path: orderPath(resultOrderId),
      title,
      next: [`${waitingTexts[reason]}: ${amountText(amountMinor, currency)}, with `, untrusted(otherParty), "."],
      dueAt: null
    })),
    ...summaries.map(({ projectId, title, subject }) => ({
      kind: "summary" as const,
      path: projectPath(projectId),
      title,
      next: ["Approve or refuse this public summary of ", untrusted(subject.name), "."],
      dueAt: null
    }))
  ]
  return {
    items: items.toSorted(mostUrgentFirst),
    notSearched: [
      olderProject === null ? null : olderText("projects", " that have not ended"),
      olderProposal === null ? null : olderText("published proposals"),
      olderTask === null ? null : olderText("open tasks"),
      isTruncated ? truncatedOrdersText : null
    ].filter((text) => text !== null)
  }
})

type Waiting = Effect.Success<ReturnType<typeof readWaiting>>

/** By due date; what has none keeps its order, at the end. */
const mostUrgentFirst = ({ dueAt: one }: WaitingItem, { dueAt: other }: WaitingItem): number => {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

const olderText = (items: string, which = ""): string =>
  `Older ${items} than your newest ${limits.projectsListed.toLocaleString("en")}${which} are not among them.`

const truncatedOrdersText = `Only the newest ${limits.resultOrdersWaiting} Result Orders of each organization are searched, for payments only the newest ${limits.resultOrdersOnPage} approved ones, and at most ${limits.resultOrdersOnPage} are shown.`

export const waitingSection = ({ items, notSearched }: Waiting) =>
  section(
    items.length === 0 ? "Waiting for you" : `Waiting for you: ${countsText(items)}`,
    items.length === 0
      ? "Nothing waits for you."
      : lines({ caption: "The most urgent first", columns }, items.slice(0, limits.itemsOnPage)),
    items.length <= limits.itemsOnPage
      ? null
      : [
          paragraph(`The ${limits.itemsOnPage} most urgent are shown. All are in these lists:`),
          list(kindsOf(items).map((kind) => linkTo(kinds[kind][2], capitalized(kinds[kind][1]))))
        ],
    notSearched.length === 0 ? null : list(notSearched)
  )

const columns = [
  { heading: "What", cell: ({ path, title }: WaitingItem) => linkTo(path, untrusted(title)) },
  { heading: "Kind", cell: ({ kind }: WaitingItem) => kinds[kind][0] },
  { heading: "What is next", cell: ({ next }: WaitingItem) => next },
  { heading: "Due", cell: ({ dueAt }: WaitingItem) => (dueAt === null ? "no date" : time(dueAt)) }
]

/** `2 projects, 1 task` */
const countsText = (items: ReadonlyArray<WaitingItem>): string =>
  kindsOf(items)
    .map((kind) => {
      const count = items.filter((item) => item.kind === kind).length
      const [one, several] = kinds[kind]
      return `${count.toLocaleString("en")} ${count === 1 ? one : several}`
    })
    .join(", ")

const kindsOf = (items: ReadonlyArray<WaitingItem>): ReadonlyArray<WaitingItem["kind"]> => [
  ...new Set(items.map(({ kind }) => kind))
]

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
