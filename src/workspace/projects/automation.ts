/** Pauses and resumes the agents of a project. */
import { pauseProject, resumeProject } from "../../projects/automation.ts"
import { automationForms } from "../commands/automation.ts"
import { showProject } from "./detail.ts"
import { projects } from "./subject.ts"

export const projectAutomation = automationForms({
  subject: projects,
  showAgain: (visitor, id, failed) => showProject(visitor, id, { name: "automation", ...failed }),
  pause: {
    operation: "pauseProject",
    run: (person, request, projectId, reason) => pauseProject(person, request, { projectId, reason })
  },
  resume: {
    operation: "resumeProject",
    run: (person, request, projectId, reason) => resumeProject(person, request, { projectId, reason })
  }
})
