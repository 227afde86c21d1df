/** The projects that a person stands on a side of: what needs their side first, then the newest. */
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
      memberships.some((one) => one.isInForce && one.organizationId === organizationId && carriesCredits(one))
    const needsUs = ({ projectId }: NamedProject) => steps.get(projectId)?.viewer === "NEEDS_YOU"
    const ordered = projects.toSorted(
      (one, other) => Number(needsUs(other)) - Number(needsUs(one)) || newestFirst(one, other)
    )
    return pageResponse(
      page(
        { title: "My projects", viewer, place: "projects" },
        nextStep("/workspace/projects/new", "Make an agreement"),
        table({
          caption: "Agreements that I stand on a side of",
          columns: ["Project", "What is next", "State", "My side", "Agents", "Which one it is"],
          rows: ordered.map((project) => [
            linkTo(projectPath(project.projectId), untrusted(project.title)),
            next(project, steps.get(project.projectId), showsCredits(project)),
            stateWords[project.state].name,
            roleWords[project.role],
            project.pauses.length === 0 ? badge("good", "may act") : badge("waiting", "paused"),
            identityOf(project)
          ]),
          empty: "You stand on a side of no project yet. Make an agreement, or let an agent make one."
        })
      )
    )
  })
)

const carriesCredits = ({ authorities }: { readonly authorities: ReadonlyArray<Authority> }): boolean =>
  authorities.includes("FINANCIAL_READ") || authorities.includes("RECORD_ISSUE")

type NextAction = Effect.Success<ReturnType<typeof readNextActions>> extends Map<string, infer Next> ? Next : never

/** Of the party whose turn it is; of what was not looked at nothing is claimed. */
const next = ({ role, state }: NamedProject, step: NextAction | undefined, maySeeCredits: boolean): Content => {
  if (step === undefined) return isEnded(state) ? "nothing" : "open it to see"
  if (step.party === "NONE") {
    const isWaiting = step.action === "WAIT_FOR_RECORD"
    return [
      isWaiting ? sayNobodysStep(step.action) : "nothing",
      isWaiting && maySeeCredits ? [" ", linkTo("/workspace/funding", "See the credits")] : null
    ]
  }
  const words = stepOf(step.action, step.party)
  return [
    step.viewer === "NEEDS_YOU"
      ? [badge("waiting", "needs your side"), " ", words?.own]
      : [`The ${roleWords[step.party].toLowerCase()}: `, words?.other],
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
