/** The operations of agents on proposals (4.4). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { forAgents } from "../access/bearer.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { limits } from "../vocabulary/limits.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { agentCommand, proposalCommands, ProposalPath } from "./command-wire.ts"
import { CreateProposal, ProposalId } from "./input.ts"
import { ProposalList, ProposalView } from "./output.ts"

/** Canonical decimal notation only. */
const PageSize = Schema.String.check(
  Schema.isPattern(/^([1-9][0-9]?|100)$/u, { expected: `a whole number from 1 to ${limits.proposalsOnPageMost}` })
)

export class ProposalsGroup extends HttpApiGroup.make("proposals", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listProposals", "/proposals", {
      query: { after: Schema.optionalKey(ProposalId), limit: Schema.optionalKey(PageSize) },
      success: ProposalList
    }).annotateMerge(titled("The proposals in this grant's scope, oldest link first")),
    HttpApiEndpoint.post("createProposal", "/proposals", {
      payload: CreateProposal,
      success: ProposalView.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.requestId,
        ...checks.terms,
        "FORBIDDEN_AGENT_ACTION",
        ...checks.authorityEvent,
        "CREATED_PROPOSAL_LIMIT",
        "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
      )
    }).annotateMerge(titled("Write a proposal; the buyer sees it once it is published")),
    HttpApiEndpoint.get("readProposal", "/proposals/:id", {
      params: ProposalPath,
      success: ProposalView,
      error: refuses(...checks.agentScope)
    }).annotateMerge(titled("Read one proposal")),
    agentCommand(proposalCommands.update),
    agentCommand(proposalCommands.publish),
    agentCommand(proposalCommands.respond),
    agentCommand(proposalCommands.withdraw),
    agentCommand(proposalCommands.handoff)
  )
  .pipe(forAgents) {}
