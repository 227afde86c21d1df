/** Pauses and resumes the agents of a proposal. */
import { pauseProposal, resumeProposal } from "../../proposals/automation.ts"
import { automationForms } from "../commands/automation.ts"
import { showProposal } from "./detail.ts"
import { proposals } from "./subject.ts"

const operations = { pause: pauseProposal, resume: resumeProposal }

export const proposalAutomation = automationForms(proposals, {
  operationOf: (change) => `${change}Proposal`,
  run: (change, person, request, { id: proposalId, reason }) =>
    operations[change](person, request, { proposalId, reason }),
  showAgain: (visitor, id, failed) => showProposal(visitor, id, { failed })
})
