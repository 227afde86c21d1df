/** The effects of the commands on a proposal, except acceptance and hand-off. */
import { Effect } from "effect"
import { contactPerson } from "../people/contacts.ts"
import { changedPauses } from "../projects/pause.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { writeProposalAutomation } from "./automation-log.ts"
import type { ProposalCommand, ProposalCommandKind } from "./decide.ts"
import type { CommandContext } from "./command-context.ts"
import type { ProposalEventContent } from "./event.ts"
import {
  chainOfProposal,
  sealProposalEvent,
  summarizeVersion,
  type StoredProposal,
  type ProposalVersion
} from "./history.ts"
import { checkOffer, insertVersion } from "./offer.ts"
import { readRecordedProposalSide, recordProposalSide } from "./side-exclusivity.ts"
import { proposalMoves, type ProposalMove } from "./proposal.ts"
import { Proposals, ProposalSides, type ProposalRow } from "./store.ts"

type ChangeKind = Exclude<ProposalCommandKind, "HANDOFF">
type Change<K extends ChangeKind = ChangeKind> = ProposalCommand<K>

export const changeProposal = <K extends ChangeKind>(context: CommandContext, command: Change<K>) => {
  const changed = change(context, command as Change)
  return changed as Effect.Effect<StoredProposal, ChangeRefusal<K>, Effect.Services<typeof changed>>
}

type ChangeRefusal<K extends ChangeKind> =
  | Effect.Error<ReturnType<typeof recordProposalSide | typeof moveProposal>>
  | (K extends "UPDATE" ? Effect.Error<ReturnType<typeof update>> : never)
  | (K extends "PUBLISH" ? Effect.Error<ReturnType<typeof publish>> : never)

const change = Effect.fnUntraced(function* (context: CommandContext, command: Change) {
  yield* recordProposalSide(context)
  switch (command.kind) {
    case "UPDATE":
      return yield* update(context, command.input)
    case "PUBLISH":
      return yield* publish(context)
    case "WITHDRAW":
      return yield* moveProposal(context, "WITHDRAW", {
        kind: "WITHDRAW",
        payload: versionPayload(context.stored.current)
      })
    case "RESPOND": {
      const { action, reason } = command.input
      return yield* moveProposal(context, action, {
        kind: "RESPOND",
        payload: { ...versionPayload(context.stored.current), action, reason }
      })
    }
  }
})

/** The version part of an event's payload. */
export const versionPayload = ({ document, digest }: ProposalVersion) => ({
  version: document.version,
  proposalDigest: digest
})

/** Seals the event and writes the proposal's new state. */
export const moveProposal = Effect.fnUntraced(function* (
  { transaction, stored, authority, by, request, at }: CommandContext,
  move: ProposalMove,
  happening: ProposalEventContent,
  changes: Partial<ProposalRow> = {}
) {
  const actor = authority.actorAs(by, authority.grant)
  const { requestId } = request
  const moved = yield* sealProposalEvent(transaction, chainOfProposal(stored), {
    content: happening,
    requestId,
    actor,
    now: at
  })
  const columns = { state: proposalMoves[move].to, ...moved, ...changes }
  yield* transaction.update(Proposals, [stored.row.proposalId], columns)
  return { ...stored, row: { ...stored.row, ...columns } } satisfies StoredProposal
})

const update = Effect.fnUntraced(function* (context: CommandContext, input: Change<"UPDATE">["input"]) {
  const { transaction, stored, authority, plan, at } = context
  const { row, current } = stored
  const author = { personId: authority.personId, organizationId: row.organizationId }
  // An update by an agent keeps the requirements of the previous version.
  const { subjectRequirements: own } = authority
  const subjectRequirements = own === undefined ? undefined : [...current.document.terms.subjectRequirements, ...own]
  yield* checkOffer(transaction, input, author, { ...plan.offer!, subjectRequirements, now: at })
  const version = yield* insertVersion(
    transaction,
    { proposalId: row.proposalId, version: row.version + 1 },
    input,
    author
  )
  const changes = { version: row.version + 1, summary: summarizeVersion(version) }
  const moved = yield* moveProposal(context, "UPDATE", { kind: "UPDATE", payload: versionPayload(version) }, changes)
  return { ...moved, current: version } satisfies StoredProposal
})

/** The author's contact with this reference must be the recipient; otherwise RECIPIENT_MISMATCH. */
const publish = Effect.fnUntraced(function* (context: CommandContext) {
  const { transaction, stored, authority, plan, at } = context
  const { row, current } = stored
  const { recipient, terms } = current.document
  const recipientActorId = recipient.actorId
  const author = { personId: authority.personId, organizationId: row.organizationId }
  const { subjectRequirements } = authority
  const version = { terms, recipientActorId }
  yield* checkOffer(transaction, version, author, { ...plan.offer!, subjectRequirements, now: at })
  const contactPersonId = yield* contactPerson(transaction, row.organizationId, current.recipientReference)
  if (contactPersonId !== recipientActorId) return yield* refuse("RECIPIENT_MISMATCH")
  const recordedSide = yield* readRecordedProposalSide(transaction, row.proposalId, recipientActorId)
  if (recordedSide === "SUPPLIER") {
    return yield* refuse("SAME_PARTY", { detail: "The recipient has acted on the author's side of this proposal." })
  }
  if (recordedSide === undefined) {
    const { proposalId } = row
    yield* transaction.insert(ProposalSides, { party: recipientActorId, proposalId, role: "BUYER", at })
  }
  const payload = { ...versionPayload(current), recipientActorId }
  const automationChanges = row.recipientActorId === recipientActorId ? {} : yield* endFormerRecipientPause(context)
  const published = {
    publishedVersion: row.version,
    publishedSummary: row.summary,
    recipientActorId,
    ...automationChanges
  }
  const moved = yield* moveProposal(context, "PUBLISH", { kind: "PUBLISH", payload }, published)
  return { ...moved, published: current } satisfies StoredProposal
})

/** Ends the pause of the former recipient. */
const endFormerRecipientPause = Effect.fnUntraced(function* ({ transaction, stored, by, at }: CommandContext) {
  const { row } = stored
  const reason = "The proposal was published to another recipient."
  const change = { paused: false, side: "BUYER", by: by.personId, reason, at } as const
  const pauses = changedPauses(row.pauses, change)
  if (pauses === undefined) return {}
  return yield* writeProposalAutomation(transaction, row, pauses, change)
})
