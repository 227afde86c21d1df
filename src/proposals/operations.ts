/** The use cases of agents on proposals: each returns the proposal as it is after the operation. */
import { Effect } from "effect"
import { Caller } from "../access/authorize.ts"
import { readDelegatorOf, readProposalScope } from "../access/operations.ts"
import { Installation } from "../ports/installation.ts"
import { Storage } from "../ports/storage.ts"
import { notifyOtherSide } from "../projects/notice.ts"
import { afterwards } from "../projects/seen.ts"
import type { Request } from "../replay/replay.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { byAgent } from "./by-agent.ts"
import { commitOnProposal, type CommandOnProposal } from "./commit.ts"
import { createProposal as create, type Created } from "./create.ts"
import type { ProposalCommand } from "./decide.ts"
import { readStoredProposal } from "./history.ts"
import { proposalUrl } from "./human.ts"
import type { Principal } from "./principal.ts"
import type { ProposalInput } from "./proposal.ts"
import { listedProposal, seeProposal, seeProposalAfter } from "./seen.ts"

/** The proposal as the calling agent sees it. */
export const readProposal = Effect.fn("proposals.read")(function* (proposalId: string) {
  const storage = yield* Storage
  const by = byAgent(yield* Caller)
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const now = yield* currentTime
      const authority = yield* by.read(reader, proposalId)
      yield* authority.requireLive(now)
      if (!authority.isInScope) return yield* refuse(authority.outOfScopeCode)
      return yield* seeProposal(reader, proposalId, authority, now)
    })
  )
})

export interface Paging {
  readonly after?: string
  readonly limit?: number
}

/** The proposals in the grant's scope, in the order of their links: a later link is on a later page. */
export const listProposals = Effect.fn("proposals.list")(function* ({ after, limit = limits.proposalsOnPage }: Paging) {
  const storage = yield* Storage
  const caller = yield* Caller
  const by = byAgent(caller)
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const now = yield* currentTime
      const authority = yield* by.read(reader, null)
      yield* authority.requireLive(now)
      // One extra row shows whether another page exists.
      const found = yield* readProposalScope(reader, caller, after, limit + 1)
      const page = found.slice(0, limit)
      const proposals = yield* Effect.forEach(
        page,
        (proposalId) => listedProposal(reader, proposalId, authority, now),
        {
          concurrency: "unbounded"
        }
      )
      return {
        proposals: proposals.flatMap((proposal) => proposal ?? []),
        next: found.length > limit ? page.at(-1)! : null
      }
    })
  )
})

/** Writes a proposal; a replay returns the proposal of the first request. */
export const createProposal = Effect.fn("proposals.createAndView")(function* (request: Request, input: ProposalInput) {
  const caller = yield* Caller
  const by = byAgent(caller)
  const author = yield* readDelegatorOf(caller)
  return yield* viewCreated(by, yield* create({ by, request, input, author }))
})

/** The created proposal as its author sees it. */
export const viewCreated = Effect.fnUntraced(function* (caller: Principal, { proposalId, by, replayed }: Created) {
  const storage = yield* Storage
  const [stored, authority] = yield* storage.view((reader) =>
    Effect.all([readStoredProposal(reader, proposalId), caller.read(reader, proposalId)], {
      concurrency: "unbounded"
    })
  )
  if (stored === undefined) return yield* refuse("NOT_FOUND")
  return afterwards(yield* seeProposalAfter(stored, by, authority), replayed, undefined)
})

export interface ProposalEnvelope {
  readonly expectedProposalHead: string
  readonly automationRevision: number
}

/** Runs one command through the pipeline and returns the proposal after it. */
export const runProposalCommand = Effect.fn("proposals.runCommand")(function* (
  request: Request,
  proposalId: string,
  envelope: ProposalEnvelope,
  command: ProposalCommand
) {
  const by = byAgent(yield* Caller)
  return yield* runOnProposal({ by, request, proposalId, ...envelope, command })
})

/** Publishes, and returns the recipient's address of the proposal too. */
export const publishProposal = Effect.fn("proposals.publish")(function* (
  request: Request,
  proposalId: string,
  envelope: ProposalEnvelope,
  input: Extract<ProposalCommand, { readonly kind: "PUBLISH" }>["input"]
) {
  return yield* withRecipientUrl(yield* runProposalCommand(request, proposalId, envelope, { kind: "PUBLISH", input }))
})

export const withRecipientUrl = <V extends { readonly proposal: { readonly id: string } }>(view: V) =>
  Effect.map(Installation, ({ siteUrl }) => ({ ...view, recipientUrl: proposalUrl(siteUrl, view.proposal.id) }))

/** For agents and people. After an acceptance the supplier of the agreement is notified by e-mail. */
export const runOnProposal = Effect.fnUntraced(function* (command: CommandOnProposal) {
  const { by, authority, stored, replayed, agreement } = yield* commitOnProposal(command)
  const emailUpdate = agreement === undefined ? undefined : yield* notifyOtherSide(agreement, "BUYER")
  return afterwards(yield* seeProposalAfter(stored, by, authority), replayed, emailUpdate)
})
