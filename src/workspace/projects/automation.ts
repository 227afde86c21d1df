/** Pauses and resumes the agents of a project. */
import { pauseProject, resumeProject } from "../../projects/automation.ts"
import { automationForms } from "../commands/automation.ts"
import { showProject } from "./detail.ts"
import { projects } from "./subject.ts"

const operations = { pause: pauseProject, resume: resumeProject }

export const projectAutomation = automationForms(projects, {
  operationOf: (change) => `${change}Project`,
  run: (change, person, request, { id: projectId, reason }) =>
    operations[change](person, request, { projectId, reason }),
  showAgain: (visitor, id, failed) => showProject(visitor, id, { failed: { name: "automation", ...failed } })
})
