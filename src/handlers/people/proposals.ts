/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { pauseProposal, resumeProposal } from "../../proposals/automation.ts"
import type { ProposalCommand, ProposalCommandKind } from "../../proposals/decide.ts"
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
    updateAsPerson: ({ params, payload }) =>
      run("updateAsPerson", params.id, payload, { kind: "UPDATE", input: payload.input }),
    publishAsPerson: ({ params: { id }, payload: { expectedProposalHead, input } }) =>
      asPersonRequest({ operation: "publishAsPerson", pathIds: [id], requestId: input.requestId }, (by, request) =>
        Effect.flatMap(
          runProposalCommandAsPerson(by, request, {
            proposalId: id,
            expectedProposalHead,
            command: { kind: "PUBLISH", input }
          }),
          withRecipientUrl
        )
      ),
    answerProposal: ({ params, payload }) =>
      run("answerProposal", params.id, payload, { kind: "RESPOND", input: payload.input }),
    withdrawAsPerson: ({ params, payload }) =>
      run("withdrawAsPerson", params.id, payload, { kind: "WITHDRAW", input: payload.input }),
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

const run = <K extends ProposalCommandKind>(
  operation: string,
  proposalId: string,
  envelope: { readonly expectedProposalHead: string; readonly organizationId?: string },
  command: ProposalCommand<K>
) =>
  asPersonRequest({ operation, pathIds: [proposalId], requestId: command.input.requestId }, (by, request) =>
    runProposalCommandAsPerson(by, request, { proposalId, ...envelope, command })
  )

const withReplayMark = ({ replayed, ...changed }: Effect.Success<ReturnType<typeof pauseProposal>>) => ({
  ...changed,
  ...(replayed ? { replayed: true as const } : {})
})
