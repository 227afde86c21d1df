/** Pause and resume: people stop and restart the agents of a proposal. Neither appends an event nor moves the head. */
import { Effect } from "effect"
import { memberLocks, readMembership, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive } from "../ports/storage.ts"
import { changedPauses, viewAutomation } from "../projects/pause.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, requireText } from "../vocabulary/refusals.ts"
import { writeProposalAutomation } from "./automation-log.ts"
import { readPartyMemberships } from "./person-caller.ts"
import { readRecordedProposalSide } from "./side-exclusivity.ts"
import { sideOfProposal } from "./proposal.ts"
import { Proposals, ProposalSides } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface AutomationInput {
  readonly proposalId: string
  readonly reason: string
}

/** Stops the agents of both sides. Once it is acknowledged, no command of an agent commits on the proposal. */
export const pauseProposal = (by: ActingPerson, request: IdempotentRequest, input: AutomationInput) =>
  changeAutomation(by, request, input, true)

/** Lifts the pause of the caller's side; agents resume once neither side has one. */
export const resumeProposal = (by: ActingPerson, request: IdempotentRequest, input: AutomationInput) =>
  changeAutomation(by, request, input, false)

const changeAutomation = traced("proposals.changeAutomation")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { proposalId, reason }: AutomationInput,
  paused: boolean
) {
  yield* requireText("The reason", reason, limits.textCharacters)
  const { personId } = by
  const start = yield* currentTime
  // A recipient with several organizations acts with one where they hold DELEGATE.
  const { membershipId } = yield* inView((reader) =>
    Effect.map(
      readPartyMemberships(reader, by, proposalId, start),
      (memberships) => memberships.find((one) => holds(one, "DELEGATE", start)) ?? memberships[0]
    )
  )
  const locks = [...memberLocks(by, membershipId), exclusive("proposal", proposalId)]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const [membership, row, recordedSide, earlier] = yield* readTogether([
      readMembership(transaction, membershipId),
      transaction.get(Proposals, [proposalId]),
      readRecordedProposalSide(transaction, proposalId, personId),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const mayDelegate = membership !== undefined && holds(membership, "DELEGATE", now)
    const side = row === undefined || !mayDelegate ? undefined : sideOfProposal(row, membership, recordedSide)
    if (row === undefined || side === undefined) return yield* refuse("FORBIDDEN")
    if (yield* isReplay(earlier, request)) {
      return { proposalId, automation: viewAutomation(row.automationRevision, row.pauses), replayed: true }
    }
    const change = { paused, side, by: personId, reason, at: now }
    const pauses = changedPauses(row.pauses, change)
    if (pauses === undefined) {
      return yield* refuse("STATE_CONFLICT", {
        detail: paused ? "This side has already paused the proposal." : "This side holds no pause.",
        nextAction: "REREAD_PROPOSAL"
      })
    }
    if (recordedSide === undefined) {
      yield* transaction.insert(ProposalSides, { party: personId, proposalId, role: side, at: now })
    }
    const { automationRevision } = yield* writeProposalAutomation(transaction, row, pauses, change)
    yield* recordRequest(transaction, request, proposalId, now)
    return { proposalId, automation: viewAutomation(automationRevision, pauses), replayed: false }
  })
})
