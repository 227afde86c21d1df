/** The use cases of agents on proposals: each returns the proposal as it is after the operation. */
import { Effect } from "effect"
import { Caller } from "../access/authorize.ts"
import { readDelegator, readProposalScope } from "../access/operations.ts"
import { Installation } from "../ports/installation.ts"
import { inReplicaView, inView, readTogether } from "../ports/storage/run.ts"
import { notifyOtherSide } from "../projects/notification.ts"
import { withReplayFlag } from "../projects/read-model.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { agentAsCaller } from "./agent-caller.ts"
import { commitOnProposal, type ProposalCommandRequest } from "./commit.ts"
import { createProposal as create, type CreationResult } from "./create.ts"
import type { ProposalCommand, ProposalCommandKind } from "./decide.ts"
import { readStoredProposal } from "./history.ts"
import { proposalUrl } from "./human-url.ts"
import type { ProposalCaller } from "./caller.ts"
import type { ProposalInput } from "./proposal.ts"
import { readListedProposal, readProposalView, readProposalViewAfterWrite } from "./read-model.ts"
import { traced } from "../vocabulary/traced.ts"

/** The proposal as the calling agent sees it. */
export const readProposal = traced("proposals.read")(function* (proposalId: string) {
  const by = agentAsCaller(yield* Caller)
  return yield* inView(function* (reader) {
    const now = yield* currentTime
    const authority = yield* by.read(reader, proposalId)
    yield* authority.requireLive(now)
    if (!authority.isInScope) return yield* refuse(authority.outOfScopeCode)
    return yield* readProposalView(reader, proposalId, authority, now)
  })
})

export interface PageRequest {
  readonly after?: string
  readonly limit?: number
}

/** The proposals in the grant's scope, in the order of their links: a later link is on a later page. */
export const listProposals = traced("proposals.list")(function* ({
  after,
  limit = limits.proposalsOnPage
}: PageRequest) {
  const caller = yield* Caller
  const by = agentAsCaller(caller)
  return yield* inReplicaView(function* (reader) {
    const now = yield* currentTime
    const authority = yield* by.read(reader, null)
    yield* authority.requireLive(now)
    // One extra row shows whether another page exists.
    const found = yield* readProposalScope(reader, caller, after, limit + 1)
    const page = found.slice(0, limit)
    const proposals = yield* readTogether(
      page.map((proposalId) => readListedProposal(reader, proposalId, authority, now))
    )
    return {
      proposals: proposals.flatMap((proposal) => proposal ?? []),
      next: found.length > limit ? page.at(-1)! : null
    }
  })
})

/** Writes a proposal; a replay returns the proposal of the first request. */
export const createProposal = traced("proposals.createAndView")(function* (
  request: IdempotentRequest,
  input: ProposalInput
) {
  const caller = yield* Caller
  const by = agentAsCaller(caller)
  const author = yield* readDelegator(caller)
  return yield* viewCreated(by, yield* create({ by, request, input, author }))
})

/** The created proposal as its author sees it. */
export const viewCreated = Effect.fnUntraced(function* (
  caller: ProposalCaller,
  { proposalId, by, replayed }: CreationResult
) {
  const [stored, authority] = yield* inView((reader) =>
    readTogether([readStoredProposal(reader, proposalId), caller.read(reader, proposalId)])
  )
  if (stored === undefined) return yield* refuse("NOT_FOUND")
  return withReplayFlag(yield* readProposalViewAfterWrite(stored, by, authority), replayed, undefined)
})

export interface ProposalEnvelope {
  readonly expectedProposalHead: string
  readonly automationRevision: number
}

/** Runs one command through the pipeline and returns the proposal after it. */
export const runProposalCommand = traced("proposals.runCommand")(function* <K extends ProposalCommandKind>(
  request: IdempotentRequest,
  proposalId: string,
  envelope: ProposalEnvelope,
  command: ProposalCommand<K>
) {
  const by = agentAsCaller(yield* Caller)
  return yield* runAndView({ by, request, proposalId, ...envelope, command })
})

/** Adds the address of the proposal for its recipient. */
export const withRecipientUrl = <V extends { readonly proposal: { readonly id: string } }>(view: V) =>
  Effect.map(Installation, ({ siteUrl }) => ({ ...view, recipientUrl: proposalUrl(siteUrl, view.proposal.id) }))

/** For agents and people. After an acceptance the supplier of the agreement is notified by e-mail. */
export const runAndView = Effect.fnUntraced(function* <K extends ProposalCommandKind>(
  command: ProposalCommandRequest<K>
) {
  const { by, authority, stored, replayed, agreement } = yield* commitOnProposal(command)
  const emailUpdate = agreement === undefined ? undefined : yield* notifyOtherSide(agreement, "BUYER")
  return withReplayFlag(yield* readProposalViewAfterWrite(stored, by, authority), replayed, emailUpdate)
})
