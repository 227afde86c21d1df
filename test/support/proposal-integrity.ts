/** Integrity checks of stored proposals, as sentences: chains, versions, scopes and holders. */
import { Effect } from "effect"
import { projectDigest, proposalIdDigest } from "../../src/access/authority.ts"
import { AuthorityEvents, GrantProjects, GrantProposals, Grants, type GrantRow } from "../../src/access/store.ts"
import { digestOf } from "../../src/canonical/digest.ts"
import { Signer } from "../../src/ports/signer.ts"
import { Storage, type Reader } from "../../src/ports/storage.ts"
import { ProjectEvents, Projects, type ProjectRow } from "../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalVersions, type ProposalRow } from "../../src/proposals/store.ts"
import { flawsOf, openEvent, type StoredEvent } from "./stored-chains.ts"

/** Checks every proposal, every agreement and every grant. */
export const flawsInStore = Effect.gen(function* () {
  const storage = yield* Storage
  const { keys } = yield* Signer
  const { jwk } = keys.keys[0]!
  const chainFlaws = (events: ReadonlyArray<StoredEvent>, origin: string | null) => flawsOf(events, jwk, origin)
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const everything = { prefix: [], limit: 10_000 }
      const projects = yield* Effect.forEach(yield* reader.range(Projects, "key", everything), (row) =>
        Effect.map(reader.range(ProjectEvents, "key", { prefix: [row.projectId], limit: 1_000 }), (rows) => ({
          row,
          events: rows.map(open)
        }))
      )
      const found: Array<string> = []
      for (const { row, events } of projects) {
        found.push(...chainFlaws(events, row.agreementDigest), ...headFlaws(row.projectId, row, events))
      }
      for (const row of yield* reader.range(Proposals, "key", everything)) {
        const events = (yield* reader.range(ProposalEvents, "key", { prefix: [row.proposalId], limit: 1_000 })).map(
          open
        )
        const [version] = yield* reader.range(ProposalVersions, "key", { prefix: [row.proposalId], limit: 1 })
        found.push(...chainFlaws(events, version?.digest ?? null), ...headFlaws(row.proposalId, row, events))
        found.push(...(yield* versionFlaws(reader, row, events)), ...endFlaws(row, events, projects))
      }
      for (const grant of yield* reader.range(Grants, "key", everything)) {
        const rows = yield* reader.range(AuthorityEvents, "key", { prefix: [grant.grantId], limit: 1_000 })
        const events = rows.map(open)
        found.push(...chainFlaws(events, null), ...(yield* scopeFlaws(reader, grant, events)))
      }
      return [...found, ...(yield* holderFlaws(reader))]
    })
  )
})

const open = ({ sequence, hash, jws }: { readonly sequence: number; readonly hash: string; readonly jws: string }) =>
  openEvent(sequence, hash, jws)

const headFlaws = (
  id: string,
  { headEventHash, eventCount }: { readonly headEventHash: string; readonly eventCount: number },
  events: ReadonlyArray<StoredEvent>
) =>
  headEventHash === events.at(-1)?.hash && eventCount === events.length ? [] : [`${id} does not end in its last event`]

/** Versions are numbered from 1, each named by the event that created it. */
const versionFlaws = Effect.fnUntraced(function* (
  reader: Reader,
  { proposalId, version, summary, publishedVersion, publishedSummary }: ProposalRow,
  events: ReadonlyArray<StoredEvent>
) {
  const rows = yield* reader.range(ProposalVersions, "key", { prefix: [proposalId], limit: 1_000 })
  const written = events.filter(({ payload }) => payload.kind === "CREATE" || payload.kind === "UPDATE")
  const shown = events.findLast(({ payload }) => payload.kind === "PUBLISH")
  return [
    rows.length === version && written.length === version ? [] : [`${proposalId} is not at its last version`],
    (shown?.payload.payload.version ?? null) === publishedVersion ? [] : [`${proposalId} published another version`],
    summary.digest === rows[version - 1]?.digest &&
    (publishedSummary?.digest ?? null) === (publishedVersion === null ? null : rows[publishedVersion - 1]?.digest)
      ? []
      : [`${proposalId} lists a version that it does not have`],
    ...rows.map((row, index) => {
      const named = written[index]?.payload.payload
      const isRight =
        row.version === index + 1 &&
        digestOf(JSON.parse(row.document)) === row.digest &&
        named?.version === row.version &&
        named?.proposalDigest === row.digest
      return isRight ? [] : [`${proposalId} has a wrong version ${row.version}`]
    })
  ].flat()
})

const stateAfter: { readonly [kind: string]: string } = {
  CREATE: "DRAFT",
  UPDATE: "DRAFT",
  PUBLISH: "PUBLISHED",
  WITHDRAW: "WITHDRAWN",
  ACCEPT: "ACCEPTED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  DECLINE: "DECLINED"
}

/** The state follows from the last event; an agreement is created by an acceptance only. */
const endFlaws = (
  { proposalId, state, projectId, version }: ProposalRow,
  events: ReadonlyArray<StoredEvent>,
  projects: ReadonlyArray<{ readonly row: ProjectRow; readonly events: ReadonlyArray<StoredEvent> }>
) => {
  const last = events.at(-1)!.payload
  const digests = new Set(events.map(({ payload }) => payload.payload.proposalDigest))
  const made = projects.filter(({ events: [first] }) => digests.has(first?.payload.payload.proposalDigest))
  const agreement = made[0]?.row
  const named = last.payload.agreement
  const isAccepted =
    named?.projectId === agreement?.projectId &&
    named?.digest === agreement?.agreementDigest &&
    last.payload.version === version
  return [
    stateAfter[last.payload.action ?? last.kind] === state ? [] : [`${proposalId} is ${state} after ${last.kind}`],
    made.length === (state === "ACCEPTED" ? 1 : 0) ? [] : [`${proposalId} in ${state} made ${made.length} agreements`],
    projectId === (agreement?.projectId ?? null) ? [] : [`${proposalId} names an agreement that it did not create`],
    state !== "ACCEPTED" || isAccepted ? [] : [`${proposalId} is accepted without its acceptance event`]
  ].flat()
}

/** The scope of a grant equals the links of its signed chain, each opened by its salt. */
const scopeFlaws = Effect.fnUntraced(function* (
  reader: Reader,
  { grantId, authoritySequence, projectCount, proposalCount }: GrantRow,
  events: ReadonlyArray<StoredEvent>
) {
  const projects = yield* reader.range(GrantProjects, "key", { prefix: [grantId], limit: 1_000 })
  const proposals = yield* reader.range(GrantProposals, "key", { prefix: [grantId], limit: 1_000 })
  const changeAt = (sequence: number) => events[sequence - 1]?.payload.change
  const links = (kind: string) => events.filter(({ payload }) => payload.kind === kind).length
  return [
    events.length === authoritySequence ? [] : [`${grantId} does not end in its last authority event`],
    projects.length === projectCount && links("LINK_PROJECT") === projectCount
      ? []
      : [`${grantId} reaches agreements that its chain does not link`],
    proposals.length === proposalCount && links("LINK_PROPOSAL") === proposalCount
      ? []
      : [`${grantId} reaches proposals that its chain does not link`],
    ...projects.map(({ projectId, salt, sequence }) =>
      changeAt(sequence)?.projectDigest === projectDigest(projectId, salt) ? [] : [`${grantId} links no ${projectId}`]
    ),
    ...proposals.map(({ proposalId, salt, sequence }) =>
      changeAt(sequence)?.proposalDigest === proposalIdDigest(proposalId, salt)
        ? []
        : [`${grantId} links no ${proposalId}`]
    )
  ].flat()
})

/** A proposal lists exactly the grants that reach it. */
const holderFlaws = Effect.fnUntraced(function* (reader: Reader) {
  const rows = yield* reader.range(Proposals, "key", { prefix: [], limit: 10_000 })
  const links = yield* reader.range(GrantProposals, "key", { prefix: [], limit: 10_000 })
  return rows.flatMap(({ proposalId, holders }) => {
    const linked = links.filter((link) => link.proposalId === proposalId).map(({ grantId }) => grantId)
    return JSON.stringify(linked.toSorted()) === JSON.stringify(holders.map(({ grantId }) => grantId).toSorted())
      ? []
      : [`${proposalId} lists other grants than those that hold it`]
  })
})
