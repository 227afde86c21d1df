/** The projects that a person stands on a side of. */
import { Effect, Layer } from "effect"
import { listProjects } from "../../projects/sides.ts"
import { untrusted } from "../html.ts"
import { page } from "../page.ts"
import { badge, linkTo, table } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import { roleWords, stateWords } from "../words.ts"
import { automationForms } from "./projects-automation.ts"
import { projectDetail, projectPath } from "./projects-detail.ts"
import { representativeForm } from "./projects-representative.ts"
import { projectTasks } from "./projects-tasks.ts"

const showProjects = signedInPage("/workspace/projects", ({ person, viewer }) =>
  Effect.gen(function* () {
    const projects = yield* listProjects(person)
    return pageResponse(
      page(
        { title: "My projects", viewer, place: "projects" },
        table({
          caption: "Agreements that I stand on a side of",
          columns: ["Project", "My side", "State", "Agents", "Buyer", "Supplier"],
          rows: projects.map(({ projectId, title, role, state, pauses, buyerName, supplierName }) => [
            linkTo(projectPath(projectId), untrusted(title)),
            roleWords[role],
            stateWords[state].name,
            pauses.length === 0 ? badge("good", "may act") : badge("waiting", "paused"),
            untrusted(buyerName),
            untrusted(supplierName)
          ]),
          empty: "You stand on a side of no project yet. Agents create them, where you let them."
        })
      )
    )
  })
)

export const projectPages = Layer.mergeAll(
  showProjects,
  projectDetail,
  automationForms,
  representativeForm,
  projectTasks
)
