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
    createOwnProposal: (sent) =>
      asPersonRequest(sent, (by, request) => createProposalAsPerson(by, request, sent.payload)),
    readOwnProposal: ({ params }) => asPerson((by) => readProposalAsPerson(by, params.id)),
    updateAsPerson: run("UPDATE"),
    publishAsPerson: (sent) => Effect.flatMap(run("PUBLISH")(sent), withRecipientUrl),
    answerProposal: run("RESPOND"),
    withdrawAsPerson: run("WITHDRAW"),
    pauseProposal: (sent) =>
      asPersonRequest(sent, (by, request) => Effect.map(pauseProposal(by, request, reasonOf(sent)), withReplayMark)),
    resumeProposal: (sent) =>
      asPersonRequest(sent, (by, request) => Effect.map(resumeProposal(by, request, reasonOf(sent)), withReplayMark))
  })
)

const reasonOf = ({ params, payload }: ReasonRequest) => ({ proposalId: params.id, reason: payload.reason })

interface ReasonRequest {
  readonly params: { readonly id: string }
  readonly payload: { readonly reason: string }
}

const run =
  <K extends ProposalCommandKind>(kind: K) =>
  (sent: ProposalRequest<PersonEnvelope, ProposalCommand<K>["input"]>) => {
    const { input, ...envelope } = sent.payload
    const command = { kind, input } as ProposalCommand<K>
    return asPersonRequest(sent, (by, request) =>
      runProposalCommandAsPerson(by, request, { proposalId: sent.params.id, ...envelope, command })
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
