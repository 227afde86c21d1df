/** The list of a person's projects: those that need their party first, then by age. */
import { Effect, Layer } from "effect"
import type { Authority } from "../../people/membership.ts"
import { readStanding } from "../../people/standing.ts"
import { nameParties, type NamedProject } from "../../projects/named.ts"
import { listProjects } from "../../projects/sides.ts"
import { isEnded } from "../../projects/project.ts"
import { newestFirst, readNextActions } from "../../projects/whole.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import { untrusted, type Content } from "../html.ts"
import { page } from "../page.ts"
import { badge, linkTo, nextStep, table, time } from "../parts.ts"
import { identityOf } from "../project-identity.ts"
import { sayNobodysStep, stepOf } from "../project-words.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import { roleWords, stateWords } from "../words.ts"
import { projectActs } from "./project-acts.ts"
import { automationForms } from "./projects-automation.ts"
import { projectDetail, projectPath } from "./projects-detail.ts"
import { representativeForm } from "./projects-representative.ts"
import { projectTasks } from "./projects-tasks.ts"

const showProjects = signedInPage("/workspace/projects", ({ person, viewer }) =>
  Effect.gen(function* () {
    const projects = yield* nameParties(yield* listProjects(person))
    const steps = yield* readNextActions(person, projects)
    const { memberships } = yield* readStanding(person)
    const showsCredits = ({ role, organizationId }: NamedProject) =>
      role === "BUYER" &&
      memberships.some((one) => one.isInForce && one.organizationId === organizationId && permitsReadingCredits(one))
    const needsOwnParty = ({ projectId }: NamedProject) => steps.get(projectId)?.viewer === "NEEDS_YOU"
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
            stateWords[project.state].name,
            roleWords[project.role],
            project.pauses.length === 0 ? badge("good", "may act") : badge("waiting", "paused"),
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
const next = ({ role, state }: NamedProject, step: NextAction | undefined, maySeeCredits: boolean): Content => {
  if (step === undefined) return isEnded(state) ? "nothing" : "shown on its page"
  if (step.party === "NONE") {
    const isWaiting = step.action === "WAIT_FOR_RECORD"
    return [
      isWaiting ? sayNobodysStep(step.action) : "nothing",
      isWaiting && maySeeCredits ? [" ", linkTo("/workspace/funding", "See the credits")] : null
    ]
  }
  const texts = stepOf(step.action, step.party)
  return [
    step.viewer === "NEEDS_YOU"
      ? [badge("waiting", "needs your action"), " ", texts?.own]
      : [`The ${roleWords[step.party].toLowerCase()}: `, texts?.other],
    step.dueAt !== null && isInstant(step.dueAt) && step.party === role ? [" By ", time(step.dueAt), "."] : null
  ]
}

export const projectPages = Layer.mergeAll(
  showProjects,
  projectDetail,
  automationForms,
  representativeForm,
  projectTasks,
  projectActs
)
