/** The list of a person's projects: those that need their party first, then by age. */
import { Effect, Layer, Schema } from "effect"
import { confers, type Authority } from "../../people/membership.ts"
import { readProfile } from "../../people/profile.ts"
import { addPartyNames, type ProjectWithPartyNames } from "../../projects/party-names.ts"
import { listNextActions, type CreationCursor, type ProjectWithNextAction } from "../../projects/party-projects.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { automationBadge } from "../commands/automation.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { badge, linkTo, nextStep, paragraph, table, time } from "../kit/parts.ts"
import { identityOf } from "./identity.ts"
import { noNextActionText, nextActionText } from "./labels.ts"
import { pageResponse } from "../kit/response.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { roleLabels, stateLabels } from "../kit/labels.ts"
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

const showProjects = signedInPage("/workspace/projects", ({ person, viewer }) =>
  Effect.gen(function* () {
    const after = yield* requestedCursor
    const found = yield* listNextActions(person, { after, limit: limits.projectsOnPage })
    const projects = yield* addPartyNames(found.projects)
    const { memberships } = yield* readProfile(person)
    const showsCredits = ({ role, organizationId }: ListedProject) =>
      role === "BUYER" &&
      memberships.some((one) => one.isInForce && one.organizationId === organizationId && permitsReadingCredits(one))
    const needsOwnParty = ({ nextAction }: ListedProject) => nextAction.viewer === "NEEDS_YOU"
    const ordered = projects.toSorted((one, other) => Number(needsOwnParty(other)) - Number(needsOwnParty(one)))
    return pageResponse(
      page(
        { title: "My projects", viewer, place: "projects" },
        nextStep("/workspace/projects/new", "Make an agreement"),
        table({
          caption: "Agreements of which I am a party",
          columns: ["Project", "What is next", "State", "My role", "Agents", "Identification"],
          rows: ordered.map((project) => [
            linkTo(projectPath(project.projectId), untrusted(project.title)),
            next(project, showsCredits(project)),
            stateLabels[project.state].name,
            roleLabels[project.role],
            automationBadge(project.pauses.length > 0),
            identityOf(project)
          ]),
          empty:
            after === undefined
              ? "You are a party of no project yet. Make an agreement, or let an agent make one."
              : "There are no older projects."
        }),
        otherPages(after, found.next)
      )
    )
  })
)

const permitsReadingCredits = ({ authorities }: { readonly authorities: ReadonlyArray<Authority> }): boolean =>
  confers(authorities, "FINANCIAL_READ") || confers(authorities, "RECORD_ISSUE")

type ListedProject = ProjectWithNextAction & ProjectWithPartyNames

/** The next action of its party. */
const next = ({ role, nextAction }: ListedProject, maySeeCredits: boolean): Content => {
  const { party, action, viewer, dueAt } = nextAction
  if (party === "NONE") {
    const isWaiting = action === "WAIT_FOR_RECORD"
    return [
      isWaiting ? noNextActionText(action) : "nothing",
      isWaiting && maySeeCredits ? [" ", linkTo("/workspace/funding", "See the credits")] : null
    ]
  }
  const texts = nextActionText(action, party)
  return [
    viewer === "NEEDS_YOU"
      ? [badge("waiting", "needs your action"), " ", texts?.own]
      : [`The ${roleLabels[party].toLowerCase()}: `, texts?.other],
    dueAt !== null && isInstant(dueAt) && party === role ? [" By ", time(dueAt), "."] : null
  ]
}

const isProject = Schema.is(idOf("delivery"))

/** The requested older page; the first one where the parameter is no place of a project. */
const requestedCursor = Effect.map(readQueryParameters, (query): CreationCursor | undefined => {
  const [createdAt = "", projectId = "", ...more] = (query("after") ?? "").split(",")
  return isInstant(createdAt) && isProject(projectId) && more.length === 0 ? { createdAt, projectId } : undefined
})

/** The links between pages; those that need the person's action come first on each page only. */
const otherPages = (after: CreationCursor | undefined, older: CreationCursor | null): Content => [
  after === undefined ? null : paragraph(linkTo("/workspace/projects", "Newest projects")),
  older === null
    ? null
    : paragraph(
        `A page has ${limits.projectsOnPage} projects, the newest first. `,
        linkTo(`/workspace/projects?after=${older.createdAt},${older.projectId}`, "Older projects"),
        ". The ",
        linkTo("/workspace/", "start page"),
        " shows those that need your action."
      )
]

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
