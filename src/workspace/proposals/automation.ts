/** Pauses and resumes the agents of a proposal. */
import { pauseProposal, resumeProposal } from "../../proposals/automation.ts"
import { automationForms } from "../commands/automation.ts"
import { showProposal } from "./detail.ts"
import { proposals } from "./subject.ts"

export const proposalAutomation = automationForms({
  subject: proposals,
  showAgain: (visitor, id, failed) => showProposal(visitor, id, failed),
  pause: {
    operation: "pauseProposal",
    run: (person, request, proposalId, reason) => pauseProposal(person, request, { proposalId, reason })
  },
  resume: {
    operation: "resumeProposal",
    run: (person, request, proposalId, reason) => resumeProposal(person, request, { proposalId, reason })
  }
})
