/** Pauses and resumes the agents of a proposal. */
import { Layer } from "effect"
import { pauseProposal, resumeProposal } from "../../proposals/automation.ts"
import { automationForm } from "../commands/automation.ts"
import type { PageForm } from "../commands/subject.ts"
import type { Visitor } from "../kit/visitor.ts"
import { showProposal } from "./detail.ts"
import { proposals } from "./subject.ts"

const showAgain = (visitor: Visitor, id: string, failed: PageForm) => showProposal(visitor, id, failed)

export const proposalAutomation = Layer.merge(
  automationForm(proposals, {
    path: "/pause",
    operation: "pauseProposal",
    showAgain,
    run: (person, request, { id: proposalId, reason }) => pauseProposal(person, request, { proposalId, reason })
  }),
  automationForm(proposals, {
    path: "/resume",
    operation: "resumeProposal",
    showAgain,
    run: (person, request, { id: proposalId, reason }) => resumeProposal(person, request, { proposalId, reason })
  })
)
