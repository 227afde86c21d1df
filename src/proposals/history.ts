/** A stored proposal and its history: signed events in a hash chain. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { chainHashOf } from "../canonical/chain.ts"
import { canonicalMembers, joinMembers, parseCanonical } from "../canonical/jcs.ts"
import { parseSigned } from "../canonical/jws.ts"
import { Signer } from "../ports/signer.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { Actor } from "../projects/event.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { ProposalEvent, ProposalEventContent } from "./event.ts"
import type { ProposalDocument, VersionSummary } from "./proposal.ts"
import { ProposalEvents, Proposals, ProposalVersions, type ProposalRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** One version with the author's own reference for its recipient. */
export interface ProposalVersion {
  readonly document: ProposalDocument
  readonly digest: string
  readonly recipientReference: string
}

/** A proposal with its current version and the one last published, which may be the same. */
export interface StoredProposal {
  readonly row: ProposalRow
  readonly current: ProposalVersion
  readonly published: ProposalVersion | undefined
}

/** The summary of a version that the proposal's row stores. */
export const summarizeVersion = ({ document, digest, recipientReference }: ProposalVersion): VersionSummary => ({
  digest,
  title: document.terms.title,
  supplierActorId: document.supplier.actorId,
  recipientActorId: document.recipient.actorId,
  recipientReference
})

/** The proposal with its two versions; undefined if it does not exist. */
export const readStoredProposal = Effect.fnUntraced(function* (reader: Reader, proposalId: string) {
  const row = yield* reader.get(Proposals, [proposalId])
  if (row === undefined) return undefined
  const { version, publishedVersion } = row
  const [current, published] = yield* readTogether([
    readVersion(reader, proposalId, version),
    publishedVersion === null || publishedVersion === version
      ? Effect.undefined
      : readVersion(reader, proposalId, publishedVersion)
  ])
  return {
    row,
    current,
    published: publishedVersion === null ? undefined : (published ?? current)
  } satisfies StoredProposal
})

// Every version that a row names was inserted in the same transaction.
const readVersion = (reader: Reader, proposalId: string, version: number) =>
  Effect.map(reader.get(ProposalVersions, [proposalId, version]), (found): ProposalVersion => ({
    document: parseCanonical(found!.document),
    digest: found!.digest,
    recipientReference: found!.recipientReference
  }))

/** The preconditions that the next command must name. */
export const proposalPreconditions = (row: ProposalRow, side: Role) => ({
  proposalHead: row.headEventHash,
  // A recipient does not learn the numbers of unpublished versions.
  version: side === "BUYER" ? (row.publishedVersion ?? row.version) : row.version,
  automationRevision: row.automationRevision
})

/** The events of a proposal, oldest first. */
export const readProposalEvents = Effect.fnUntraced(function* (reader: Reader, proposalId: string) {
  const rows = yield* reader.range(ProposalEvents, "key", { prefix: [proposalId], limit: limits.eventsPerProposal })
  return rows.map(openEvent)
})

const openEvent = ({ jws, hash }: { readonly jws: string; readonly hash: string }): ProposalEvent => ({
  ...parseSigned<ProposalEvent>(jws),
  hash
})

/** The end of the chain; before the first event the head is the first version's digest. */
export interface ProposalChain {
  readonly proposalId: string
  readonly head: string
  readonly count: number
  readonly lastEventAt: Instant
}

export const chainOfProposal = ({ row }: Pick<StoredProposal, "row">): ProposalChain => ({
  proposalId: row.proposalId,
  head: row.headEventHash,
  count: row.eventCount,
  lastEventAt: row.lastEventAt
})

/** An event before it is sealed: its content, request, actor and time. */
export interface NewProposalEvent {
  readonly content: ProposalEventContent
  readonly requestId: string
  readonly actor: Actor
  readonly now: Instant
}

/** Signs and queues the next event; returns the changed columns. `occurredAt` is monotonic. */
export const sealProposalEvent = traced("proposals.sealEvent")(function* (
  transaction: Transaction,
  { proposalId, head, count, lastEventAt }: ProposalChain,
  { content, requestId, actor, now }: NewProposalEvent
) {
  const signer = yield* Signer
  const occurredAt = later(now, lastEventAt)
  const payload = {
    schema: "service.proposal-event/v1" as const,
    proposalId,
    sequence: count + 1,
    previous: head,
    ...content,
    requestId,
    actor,
    occurredAt,
    issuedAt: occurredAt
  }
  const members = canonicalMembers(payload)
  const jws = yield* signer
    .sign("EVENT", payload, joinMembers(members))
    .pipe(Effect.catchTag("IssuerNotConfigured", () => refuse("ISSUER_NOT_CONFIGURED")))
  const hash = chainHashOf(members)
  const { sequence, kind } = payload
  yield* transaction.insert(ProposalEvents, { proposalId, sequence, kind, hash, jws, occurredAt })
  return { headEventHash: hash, eventCount: sequence, lastEventAt: occurredAt }
})
