/** What a command other than an acceptance does to a proposal that allows it. */
import { Effect } from "effect"
import { personUnder } from "../people/contacts.ts"
import { withoutPause } from "../projects/pause.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { writeProposalAutomation } from "./automation-log.ts"
import type { ProposalCommand } from "./decide.ts"
import type { Doing } from "./doing.ts"
import type { ProposalHappening } from "./event.ts"
import { chainOf, sealProposalEvent, summarize, type StoredProposal, type Version } from "./history.ts"
import { checkOffer, insertVersion } from "./offer.ts"
import { readTakenProposalSide, takeSide } from "./one-side.ts"
import { proposalMoves, type ProposalMove } from "./proposal.ts"
import { Proposals, ProposalSides, type ProposalRow } from "./store.ts"

type Change = Exclude<ProposalCommand, { readonly kind: "HANDOFF" }>

export const changeProposal = Effect.fnUntraced(function* (doing: Doing, command: Change) {
  yield* takeSide(doing)
  switch (command.kind) {
    case "UPDATE":
      return yield* update(doing, command.input)
    case "PUBLISH":
      return yield* publish(doing)
    case "WITHDRAW":
      return yield* moveProposal(doing, "WITHDRAW", { kind: "WITHDRAW", payload: named(doing.stored.current) })
    case "RESPOND": {
      const { action, reason } = command.input
      return yield* moveProposal(doing, action, {
        kind: "RESPOND",
        payload: { ...named(doing.stored.current), action, reason }
      })
    }
  }
})

/** A version as events name it. */
export const named = ({ document, digest }: Version) => ({ version: document.version, proposalDigest: digest })

/** Seals the event and moves the proposal with it. */
export const moveProposal = Effect.fnUntraced(function* (
  { transaction, stored, standing, by, request, at }: Doing,
  move: ProposalMove,
  happening: ProposalHappening,
  changes: Partial<ProposalRow> = {}
) {
  const actor = standing.actorAs(by, standing.grant)
  const { requestId } = request
  const moved = yield* sealProposalEvent(transaction, chainOf(stored), { happening, requestId, actor, now: at })
  const columns = { state: proposalMoves[move].to, ...moved, ...changes }
  yield* transaction.update(Proposals, [stored.row.proposalId], columns)
  return { ...stored, row: { ...stored.row, ...columns } } satisfies StoredProposal
})

const update = Effect.fnUntraced(function* (
  doing: Doing,
  input: Extract<Change, { readonly kind: "UPDATE" }>["input"]
) {
  const { transaction, stored, standing, planned, at } = doing
  const { row, current } = stored
  const author = { personId: standing.personId, organizationId: row.organizationId }
  // An agent keeps what bound whoever wrote the version before.
  const { subjectRequirements: own } = standing
  const subjectRequirements = own === undefined ? undefined : [...current.document.terms.subjectRequirements, ...own]
  yield* checkOffer(transaction, input, author, { ...planned.offer!, subjectRequirements, now: at })
  const version = yield* insertVersion(
    transaction,
    { proposalId: row.proposalId, version: row.version + 1 },
    input,
    author
  )
  const changes = { version: row.version + 1, summary: summarize(version) }
  const moved = yield* moveProposal(doing, "UPDATE", { kind: "UPDATE", payload: named(version) }, changes)
  return { ...moved, current: version } satisfies StoredProposal
})

/** The recipient is who the author's workspace knows under the reference; one refusal says that it is not so. */
const publish = Effect.fnUntraced(function* (doing: Doing) {
  const { transaction, stored, standing, planned, at } = doing
  const { row, current } = stored
  const { recipient, terms } = current.document
  const recipientActorId = recipient.actorId
  const author = { personId: standing.personId, organizationId: row.organizationId }
  const { subjectRequirements } = standing
  const offered = { terms, recipientActorId }
  yield* checkOffer(transaction, offered, author, { ...planned.offer!, subjectRequirements, now: at })
  const known = yield* personUnder(transaction, row.organizationId, current.recipientReference)
  if (known !== recipientActorId) return yield* refuse("RECIPIENT_MISMATCH")
  const taken = yield* readTakenProposalSide(transaction, row.proposalId, recipientActorId)
  if (taken === "SUPPLIER") {
    return yield* refuse("SAME_PARTY", { detail: "The recipient has acted on the author's side of this proposal." })
  }
  if (taken === undefined) {
    const { proposalId } = row
    yield* transaction.insert(ProposalSides, { party: recipientActorId, proposalId, role: "BUYER", at })
  }
  const payload = { ...named(current), recipientActorId }
  const released = row.recipientActorId === recipientActorId ? {} : yield* releaseFormer(doing)
  const published = { publishedVersion: row.version, publishedSummary: row.summary, recipientActorId, ...released }
  const moved = yield* moveProposal(doing, "PUBLISH", { kind: "PUBLISH", payload }, published)
  return { ...moved, published: current } satisfies StoredProposal
})

/** The pause of whom it was published to before ends with that. */
const releaseFormer = Effect.fnUntraced(function* ({ transaction, stored, by, at }: Doing) {
  const { row } = stored
  const pauses = withoutPause(row.pauses, "BUYER")
  if (pauses === undefined) return {}
  const reason = "The proposal is published to somebody else."
  const change = { paused: false, side: "BUYER", by: by.personId, reason, at } as const
  return yield* writeProposalAutomation(transaction, row, pauses, change)
})
