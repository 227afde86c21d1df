/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asAgent, asAgentRequest } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import type { ProposalCommand, ProposalCommandKind } from "../../proposals/decide.ts"
import type { ProposalRequest } from "../../proposals/command-wire.ts"
import {
  createProposal,
  listProposals,
  readProposal,
  runProposalCommand,
  withRecipientUrl,
  type ProposalEnvelope
} from "../../proposals/operations.ts"

export const proposalHandlers = HttpApiBuilder.group(Api, "proposals", (handlers) =>
  handlers.handleAll({
    listProposals: ({ query: { limit, ...query } }) =>
      asAgent(listProposals({ ...query, ...(limit === undefined ? {} : { limit: Number(limit) }) })),
    createProposal: (sent) => asAgentRequest(sent, (request) => createProposal(request, sent.payload)),
    readProposal: ({ params }) => asAgent(readProposal(params.id)),
    updateProposal: run("UPDATE"),
    publishProposal: (sent) => Effect.flatMap(run("PUBLISH")(sent), withRecipientUrl),
    respondProposal: run("RESPOND"),
    withdrawProposal: run("WITHDRAW"),
    handoffProposal: run("HANDOFF")
  })
)

const run =
  <K extends ProposalCommandKind>(kind: K) =>
  (sent: ProposalRequest<ProposalEnvelope, ProposalCommand<K>["input"]>) => {
    const { input, ...envelope } = sent.payload
    const command = { kind, input } as ProposalCommand<K>
    return asAgentRequest(sent, (request) => runProposalCommand(request, sent.params.id, envelope, command))
  }
