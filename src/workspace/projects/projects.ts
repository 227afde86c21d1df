/** The list of a person's projects: those that need their party first, then by age. */
import { Effect, Layer } from "effect"
import type { Authority } from "../../people/membership.ts"
import { readProfile } from "../../people/profile.ts"
import { addPartyNames, type ProjectWithPartyNames } from "../../projects/party-names.ts"
import { listPartyProjects } from "../../projects/party-projects.ts"
import { isEnded } from "../../projects/moves.ts"
import { newestFirst, readNextActions } from "../../projects/project-for-pages.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import { automationBadge } from "../commands/automation.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { badge, linkTo, nextStep, table, time } from "../kit/parts.ts"
import { identityOf } from "./identity.ts"
import { noNextActionText, nextActionText } from "./labels.ts"
import { pageResponse } from "../kit/response.ts"
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
import { representativeForm } from "./invite-representative.ts"
import { projectPath } from "./path.ts"
import { projectTasks } from "./tasks.ts"

const showProjects = signedInPage("/workspace/projects", ({ person, viewer }) =>
  Effect.gen(function* () {
    const projects = yield* addPartyNames(yield* listPartyProjects(person))
    const steps = yield* readNextActions(person, projects)
    const { memberships } = yield* readProfile(person)
    const showsCredits = ({ role, organizationId }: ProjectWithPartyNames) =>
      role === "BUYER" &&
      memberships.some((one) => one.isInForce && one.organizationId === organizationId && permitsReadingCredits(one))
    const needsOwnParty = ({ projectId }: ProjectWithPartyNames) => steps.get(projectId)?.viewer === "NEEDS_YOU"
    const ordered = projects.toSorted(
      (one, other) => Number(needsOwnParty(other)) - Number(needsOwnParty(one)) || newestFirst(one, other)
    )
    return pageResponse(
      page(
        { title: "My projects", viewer, place: "projects" },
        nextStep("/workspace/projects/new", "Make an agreement"),
        table({
          caption: "Agreements of which I am a party",
          columns: ["Project", "What is next", "State", "My role", "Agents", "Identification"],
          rows: ordered.map((project) => [
            linkTo(projectPath(project.projectId), untrusted(project.title)),
            next(project, steps.get(project.projectId), showsCredits(project)),
            stateLabels[project.state].name,
            roleLabels[project.role],
            automationBadge(project.pauses.length > 0),
            identityOf(project)
          ]),
          empty: "You are a party of no project yet. Make an agreement, or let an agent make one."
        })
      )
    )
  })
)

const permitsReadingCredits = ({ authorities }: { readonly authorities: ReadonlyArray<Authority> }): boolean =>
  authorities.includes("FINANCIAL_READ") || authorities.includes("RECORD_ISSUE")

type NextAction = Effect.Success<ReturnType<typeof readNextActions>> extends Map<string, infer Next> ? Next : never

/** The next action of its party; steps that were not read are not claimed to be absent. */
const next = (
  { role, state }: ProjectWithPartyNames,
  step: NextAction | undefined,
  maySeeCredits: boolean
): Content => {
  if (step === undefined) return isEnded(state) ? "nothing" : "shown on its page"
  if (step.party === "NONE") {
    const isWaiting = step.action === "WAIT_FOR_RECORD"
    return [
      isWaiting ? noNextActionText(step.action) : "nothing",
      isWaiting && maySeeCredits ? [" ", linkTo("/workspace/funding", "See the credits")] : null
    ]
  }
  const texts = nextActionText(step.action, step.party)
  return [
    step.viewer === "NEEDS_YOU"
      ? [badge("waiting", "needs your action"), " ", texts?.own]
      : [`The ${roleLabels[step.party].toLowerCase()}: `, texts?.other],
    step.dueAt !== null && isInstant(step.dueAt) && step.party === role ? [" By ", time(step.dueAt), "."] : null
  ]
}

export const projectPages = Layer.mergeAll(
  showProjects,
  projectDetail,
  projectAutomation,
  representativeForm,
  projectTasks,
  respondPages,
  signPages,
  submitPages,
  reviewPages,
  datePages,
  concernPages,
  issuePages,
  changeRepresentativePages
)
