/** A proposal as it is read for whoever looks, from one snapshot. */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readTakenProposalSide } from "./one-side.ts"
import { readStoredProposal, type StoredProposal } from "./history.ts"
import type { Acting } from "./obstacles.ts"
import type { Standing } from "./principal.ts"
import { readReadiness } from "./readiness.ts"
import { Proposals } from "./store.ts"
import { listProposal, viewProposal, type ProposalViewer } from "./view.ts"

/** For somebody whose authority reaches it. */
export const seeProposal = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  standing: Standing,
  now: Instant
) {
  const found = yield* lookAt(reader, proposalId, standing, now)
  return found === undefined ? yield* refuse(standing.forbidden) : yield* showProposal(reader, found, standing, now)
})

/** The same for a list, which passes over what the caller stands on no side of. */
export const listedProposal = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  standing: Standing,
  now: Instant
) {
  const { siteUrl } = yield* Installation
  const [row, taken] = yield* Effect.all(
    [reader.get(Proposals, [proposalId]), readTakenProposalSide(reader, proposalId, standing.personId)],
    { concurrency: "unbounded" }
  )
  const by = row === undefined ? undefined : standing.sideOf(row, taken, now)
  return row === undefined || by === undefined ? undefined : listProposal(row, by, siteUrl)
})

/** The proposal right after what somebody has just done: they see it, whatever has happened to it or them since. */
export const seeProposalAfter = Effect.fnUntraced(function* (stored: StoredProposal, by: Acting, standing: Standing) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    showProposal(reader, { stored, viewer: viewerOf(by, standing, now) }, standing, now)
  )
})

interface Looked {
  readonly stored: StoredProposal
  readonly viewer: ProposalViewer
}

const lookAt = Effect.fnUntraced(function* (reader: Reader, proposalId: string, standing: Standing, now: Instant) {
  const [stored, taken] = yield* Effect.all(
    [readStoredProposal(reader, proposalId), readTakenProposalSide(reader, proposalId, standing.personId)],
    { concurrency: "unbounded" }
  )
  const by = stored === undefined ? undefined : standing.sideOf(stored.row, taken, now)
  return stored === undefined || by === undefined ? undefined : { stored, viewer: viewerOf(by, standing, now) }
})

const viewerOf = (by: Acting, standing: Standing, now: Instant): ProposalViewer => ({
  by,
  mayAct: (action) => standing.mayAct(action, now)
})

const showProposal = Effect.fnUntraced(function* (
  reader: Reader,
  { stored, viewer }: Looked,
  standing: Standing,
  now: Instant
) {
  const { siteUrl } = yield* Installation
  const readiness = yield* readReadiness(reader, stored, viewer.by, standing, now)
  return viewProposal({ stored, viewer, readiness, siteUrl })
})
