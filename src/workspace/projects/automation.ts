/** Pauses and resumes the agents of a project. */
import { Layer } from "effect"
import { pauseProject, resumeProject } from "../../projects/automation.ts"
import { automationForm } from "../commands/automation.ts"
import type { PageForm } from "../commands/subject.ts"
import type { Visitor } from "../kit/visitor.ts"
import { showProject } from "./detail.ts"
import { projects } from "./subject.ts"

const showAgain = (visitor: Visitor, id: string, failed: PageForm) =>
  showProject(visitor, id, { name: "automation", ...failed })

export const projectAutomation = Layer.merge(
  automationForm(projects, {
    path: "/pause",
    operation: "pauseProject",
    showAgain,
    run: (person, request, { id: projectId, reason }) => pauseProject(person, request, { projectId, reason })
  }),
  automationForm(projects, {
    path: "/resume",
    operation: "resumeProject",
    showAgain,
    run: (person, request, { id: projectId, reason }) => resumeProject(person, request, { projectId, reason })
  })
)
