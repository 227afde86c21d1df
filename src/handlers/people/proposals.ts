/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { pauseProposal, resumeProposal } from "../../proposals/automation.ts"
import type { ProposalCommand, ProposalCommandKind } from "../../proposals/decide.ts"
import type { ProposalRequest } from "../../proposals/command-wire.ts"
import { withRecipientUrl } from "../../proposals/operations.ts"
import {
  createProposalAsPerson,
  listProposalsAsPerson,
  readProposalAsPerson,
  runProposalCommandAsPerson
} from "../../proposals/person-operations.ts"

export const ownProposalHandlers = HttpApiBuilder.group(WorkspaceApi, "ownProposals", (handlers) =>
  handlers.handleAll({
    listOwnProposals: () => asPerson((by) => Effect.map(listProposalsAsPerson(by), (proposals) => ({ proposals }))),
    createOwnProposal: ({ payload }) =>
      asPersonRequest({ operation: "createOwnProposal", requestId: payload.requestId }, (by, request) =>
        createProposalAsPerson(by, request, payload)
      ),
    readOwnProposal: ({ params }) => asPerson((by) => readProposalAsPerson(by, params.id)),
    updateAsPerson: run("UPDATE"),
    publishAsPerson: (sent) => Effect.flatMap(run("PUBLISH")(sent), withRecipientUrl),
    answerProposal: run("RESPOND"),
    withdrawAsPerson: run("WITHDRAW"),
    pauseProposal: ({ params: { id }, payload: { requestId, reason } }) =>
      asPersonRequest({ operation: "pauseProposal", pathIds: [id], requestId }, (by, request) =>
        Effect.map(pauseProposal(by, request, { proposalId: id, reason }), withReplayMark)
      ),
    resumeProposal: ({ params: { id }, payload: { requestId, reason } }) =>
      asPersonRequest({ operation: "resumeProposal", pathIds: [id], requestId }, (by, request) =>
        Effect.map(resumeProposal(by, request, { proposalId: id, reason }), withReplayMark)
      )
  })
)

const run =
  <K extends ProposalCommandKind>(kind: K) =>
  ({ endpoint, params: { id }, payload }: ProposalRequest<PersonEnvelope, ProposalCommand<K>["input"]>) => {
    const { input, ...envelope } = payload
    const command = { kind, input } as ProposalCommand<K>
    return asPersonRequest(
      { operation: endpoint.identifier, pathIds: [id], requestId: input.requestId },
      (by, request) => runProposalCommandAsPerson(by, request, { proposalId: id, ...envelope, command })
    )
  }

interface PersonEnvelope {
  readonly expectedProposalHead: string
  readonly organizationId?: string
}

const withReplayMark = ({ replayed, ...changed }: Effect.Success<ReturnType<typeof pauseProposal>>) => ({
  ...changed,
  ...(replayed ? { replayed: true as const } : {})
})
