/** The projects that a person stands on a side of. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { nameParties } from "../../projects/named.ts"
import { listProjects } from "../../projects/sides.ts"
import { untrusted } from "../html.ts"
import { page } from "../page.ts"
import { badge, linkTo, table, time } from "../parts.ts"
import { ownWords, partyName } from "../project-identity.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import { roleWords, stateWords } from "../words.ts"
import { automationForms } from "./projects-automation.ts"
import { projectDetail, projectPath } from "./projects-detail.ts"
import { representativeForm } from "./projects-representative.ts"
import { projectTasks } from "./projects-tasks.ts"

const showProjects = signedInPage("/workspace/projects", ({ person, viewer }) =>
  Effect.gen(function* () {
    const projects = yield* nameParties(yield* listProjects(person))
    return pageResponse(
      page(
        { title: "My projects", viewer, place: "projects" },
        table({
          caption: "Agreements that I stand on a side of",
          columns: ["Project", "My side", "State", "Agents", "Buyer", "Supplier", "Made", "Parties in its own words"],
          rows: projects.map((project) => [
            [
              linkTo(projectPath(project.projectId), untrusted(project.title)),
              h("br", null),
              h("code", null, project.projectId)
            ],
            roleWords[project.role],
            stateWords[project.state].name,
            project.pauses.length === 0 ? badge("good", "may act") : badge("waiting", "paused"),
            partyName(project.buyer),
            partyName(project.supplier),
            time(project.createdAt),
            ownWords(project)
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
