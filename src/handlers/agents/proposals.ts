/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { asAgent, asAgentRequest } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import type { ProposalCommand, ProposalCommandKind } from "../../proposals/decide.ts"
import {
  createProposal,
  listProposals,
  publishProposal,
  readProposal,
  runProposalCommand,
  type ProposalEnvelope
} from "../../proposals/operations.ts"

export const proposalHandlers = HttpApiBuilder.group(Api, "proposals", (handlers) =>
  handlers.handleAll({
    listProposals: ({ query: { limit, ...query } }) =>
      asAgent(listProposals({ ...query, ...(limit === undefined ? {} : { limit: Number(limit) }) })),
    createProposal: ({ payload }) =>
      asAgentRequest({ operation: "createProposal", requestId: payload.requestId }, (request) =>
        createProposal(request, payload)
      ),
    readProposal: ({ params }) => asAgent(readProposal(params.id)),
    updateProposal: ({ params, payload }) =>
      run("updateProposal", params.id, payload, { kind: "UPDATE", input: payload.input }),
    publishProposal: ({ params, payload }) =>
      asAgentRequest(
        { operation: "publishProposal", pathIds: [params.id], requestId: payload.input.requestId },
        (request) => publishProposal(request, params.id, payload, payload.input)
      ),
    respondProposal: ({ params, payload }) =>
      run("respondProposal", params.id, payload, { kind: "RESPOND", input: payload.input }),
    withdrawProposal: ({ params, payload }) =>
      run("withdrawProposal", params.id, payload, { kind: "WITHDRAW", input: payload.input }),
    handoffProposal: ({ params, payload }) =>
      run("handoffProposal", params.id, payload, { kind: "HANDOFF", input: payload.input })
  })
)

const run = <K extends ProposalCommandKind>(
  operation: string,
  proposalId: string,
  envelope: ProposalEnvelope,
  command: ProposalCommand<K>
) =>
  asAgentRequest({ operation, pathIds: [proposalId], requestId: command.input.requestId }, (request) =>
    runProposalCommand(request, proposalId, envelope, command)
  )
