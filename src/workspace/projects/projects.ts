/** The list of a person's projects, the newest first. */
import { Layer } from "effect"
import { h } from "preact"
import { confers, type Authority } from "../../people/membership.ts"
import { listProjectPage, type ListedProject, type ProjectFilter } from "../../projects/newest-projects.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { automationBadge } from "../commands/automation.ts"
import { labelFilter, organizationFilter } from "../kit/filters.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { roleLabels, stateLabels } from "../kit/labels.ts"
import { listPage, type List } from "../kit/list.ts"
import type { ListQuery } from "../kit/list-query.ts"
import { badge, linkTo, nextStep, time } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { noNextActionText, nextActionText } from "./labels.ts"
import { changeRepresentativePages } from "./change-representative.ts"
import { concernPages } from "./concern.ts"
import { datePages } from "./delivery-date.ts"
import { issuePages } from "./issue.ts"
import { respondPages } from "./respond.ts"
import { reviewPages } from "./review.ts"
import { signPages } from "./sign.ts"
import { submitPages } from "./submit.ts"
import { projectAutomation } from "./automation.ts"
import { projectDetail } from "./detail.ts"
import { historyPages } from "./history.ts"
import { representativeForm } from "./invite-representative.ts"
import { projectPath } from "./path.ts"
import { projectPublications } from "./publications.ts"
import { projectTasks } from "./tasks.ts"

const showProjects = signedInPage("/workspace/projects", function* ({ person, viewer }) {
  const memberships = yield* readMemberships(person)
  return yield* listPage({
    title: "My projects",
    viewer,
    place: "projects",
    list: projectList(memberships),
    read: (query) =>
      listProjectPage(person, memberships, filterOf(query), { ...query.turn, limit: limits.itemsOnPage }),
    before: nextStep("/workspace/projects/new", "Make an agreement"),
    after: "A title is the agreement’s own text; the other party is named as it is registered here."
  })
})

const projectList = (memberships: ReadonlyArray<Membership>): List<ListedProject> => ({
  name: "projects",
  path: "/workspace/projects",
  caption: "Agreements of which I am a party, newest first",
  columns: [
    { heading: "Project", cell: projectCell },
    { heading: "With", cell: counterpartyCell },
    {
      heading: "State",
      cell: ({ state, pauses }) => [stateLabels[state].name, pauses.length > 0 ? [" ", automationBadge(true)] : null]
    },
    { heading: "Whose turn", cell: (project) => turnCell(project, showsCredits(project, memberships)) },
    { heading: "Due", cell: dueCell }
  ],
  search: {
    label: "Search",
    hint: "Part of the title or of a party’s name in the agreement, or the id of a project."
  },
  filters: [
    labelFilter("state", "State", stateLabels),
    labelFilter("side", "My side", roleLabels),
    ...organizationFilter(memberships)
  ],
  empty: "You are a party of no project yet. Make an agreement, or let an agent make one."
})

const filterOf = ({ text, valueOf }: ListQuery): ProjectFilter => {
  const [state, side] = [valueOf("state"), valueOf("side")]
  return {
    text,
    states: state === undefined ? undefined : [state as ListedProject["state"]],
    side: side as ListedProject["role"] | undefined,
    organizationId: valueOf("organization")
  }
}

const projectCell = ({ projectId, title, createdAt }: ListedProject): Content => [
  linkTo(projectPath(projectId), untrusted(title)),
  h("div", { class: "hint" }, h("code", null, projectId), ", made on ", time(createdAt))
]

const counterpartyCell = ({ role, counterparty, supplierName }: ListedProject): Content => [
  counterparty === null ? [untrusted(supplierName), " (not registered yet)"] : untrusted(counterparty),
  `, ${roleLabels[role === "BUYER" ? "SUPPLIER" : "BUYER"].toLowerCase()}`
]

const showsCredits = ({ role, organizationId }: ListedProject, memberships: ReadonlyArray<Membership>): boolean =>
  role === "BUYER" && memberships.some((one) => one.organizationId === organizationId && permitsReadingCredits(one))

const permitsReadingCredits = ({ authorities }: { readonly authorities: ReadonlyArray<Authority> }): boolean =>
  confers(authorities, "FINANCIAL_READ") || confers(authorities, "RECORD_ISSUE")

/** The next action of its party. */
const turnCell = ({ nextAction: { party, action, viewer } }: ListedProject, maySeeCredits: boolean): Content => {
  if (party === "NONE") {
    return action !== "WAIT_FOR_RECORD"
      ? "none"
      : [noNextActionText(action), maySeeCredits ? [" ", linkTo("/workspace/funding", "See the credits")] : null]
  }
  const texts = nextActionText(action, party)
  return viewer === "NEEDS_YOU"
    ? [badge("waiting", "yours"), " ", texts?.own]
    : `The ${roleLabels[party].toLowerCase()}: ${texts?.other}`
}

const dueCell = ({ nextAction: { dueAt } }: ListedProject): Content =>
  dueAt !== null && isInstant(dueAt) ? time(dueAt) : "no date"

export const projectPages = Layer.mergeAll(
  showProjects,
  projectDetail,
  historyPages,
  projectAutomation,
  representativeForm,
  projectTasks,
  projectPublications,
  respondPages,
  signPages,
  submitPages,
  reviewPages,
  datePages,
  concernPages,
  issuePages,
  changeRepresentativePages
)
