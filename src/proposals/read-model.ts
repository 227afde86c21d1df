/** The read model of a proposal for a caller, from one snapshot. */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readRecordedProposalSide } from "./side-exclusivity.ts"
import { readStoredProposal, type StoredProposal } from "./history.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import type { CallerAuthority } from "./caller.ts"
import { readReadiness } from "./readiness.ts"
import { Proposals } from "./store.ts"
import { viewListedProposal, viewProposal, type ProposalViewer } from "./view.ts"

/** The view for a caller that has the proposal in scope. */
export const readProposalView = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  authority: CallerAuthority,
  now: Instant
) {
  const found = yield* readViewSource(reader, proposalId, authority, now)
  return found === undefined
    ? yield* refuse(authority.forbiddenCode)
    : yield* viewWithReadiness(reader, found, authority, now)
})

/** The list entry; undefined if the caller acts for neither side. */
export const readListedProposal = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  authority: CallerAuthority,
  now: Instant
) {
  const { siteUrl } = yield* Installation
  const [row, recordedSide] = yield* readTogether([
    reader.get(Proposals, [proposalId]),
    readRecordedProposalSide(reader, proposalId, authority.personId)
  ])
  const by = row === undefined ? undefined : authority.sideOf(row, recordedSide, now)
  return row === undefined || by === undefined ? undefined : viewListedProposal(row, by, siteUrl)
})

/** The view right after the caller's command, even if another transaction has ended its access since. */
export const readProposalViewAfterWrite = Effect.fnUntraced(function* (
  stored: StoredProposal,
  by: PartyActor,
  authority: CallerAuthority
) {
  const now = yield* currentTime
  return yield* inView((reader) =>
    viewWithReadiness(reader, { stored, viewer: viewerOf(by, authority, now) }, authority, now)
  )
})

interface ViewSource {
  readonly stored: StoredProposal
  readonly viewer: ProposalViewer
}

const readViewSource = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  authority: CallerAuthority,
  now: Instant
) {
  const [stored, recordedSide] = yield* readTogether([
    readStoredProposal(reader, proposalId),
    readRecordedProposalSide(reader, proposalId, authority.personId)
  ])
  const by = stored === undefined ? undefined : authority.sideOf(stored.row, recordedSide, now)
  return stored === undefined || by === undefined ? undefined : { stored, viewer: viewerOf(by, authority, now) }
})

const viewerOf = (by: PartyActor, authority: CallerAuthority, now: Instant): ProposalViewer => ({
  by,
  mayAct: (action) => authority.mayAct(action, now)
})

const viewWithReadiness = Effect.fnUntraced(function* (
  reader: Reader,
  { stored, viewer }: ViewSource,
  authority: CallerAuthority,
  now: Instant
) {
  const { siteUrl } = yield* Installation
  const readiness = yield* readReadiness(reader, stored, viewer.by, authority, now)
  return viewProposal({ stored, viewer, readiness, siteUrl })
})
