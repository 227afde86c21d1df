/** The history of a project: signed events in a hash chain, appended one at a time and read in full. */
import { Effect } from "effect"
import { canonicalMembers, canonicalText, joinMembers, parseCanonical } from "../canonical/jcs.ts"
import { parseSigned } from "../canonical/jws.ts"
import { chainHashOf } from "../canonical/chain.ts"
import { cache, Caches } from "../ports/caches.ts"
import { Signer } from "../ports/signer.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { CommittedEvents } from "./committed-events.ts"
import type { Actor, EventContent, ProjectEvent, SignedEvent } from "./event.ts"
import { evolve, moveOfEvent, projectFrom } from "./evolve.ts"
import { isStatedLost, lacksEventsOf, lastSequence, readOnly, requireWholeHistory, usedSequence } from "./lost-head.ts"
import { moveNamed } from "./moves.ts"
import { progressColumns } from "./progress.ts"
import type { Project } from "./project.ts"
import { searchTextOf } from "./search-text.ts"
import { ProjectEvents, Projects, ProjectSides, type ProjectRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** A stored project: its row and the fold of its events. */
export interface StoredProject {
  readonly row: ProjectRow
  readonly project: Project
}

/** The stored form of a signed event. */
interface SealedEvent {
  readonly jws: string
  readonly hash: string
}

/** The folds of projects that were read lately. One is used only where its head, extended by later events, is the row's. */
const FoldedProjects = cache<Project>("folded projects", limits.foldedProjectBytes)

/** The fold of a project that was read lately, which need not be its newest. */
export const recentFold = (projectId: string) =>
  Effect.map(Caches, (caches) => caches.of(FoldedProjects).get(projectId))

/** Reads a project with its history; undefined if unknown. Events that were folded before are not read again. */
export const readStoredProject = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const recent = yield* recentFold(projectId)
  const [row, sealed] = yield* readTogether([
    reader.get(Projects, [projectId]),
    readEvents(reader, projectId, recent === undefined ? undefined : lastSequence(recent))
  ])
  if (row === undefined) return undefined
  const extended = recent === undefined ? foldFrom(row, sealed) : extend(recent, sealed.map(openEvent))
  // A snapshot can be older than the fold.
  const isOfRow = extended.head === row.headEventHash
  const project = isOfRow ? extended : foldFrom(row, yield* readEvents(reader, projectId))
  if (isOfRow ? project !== recent : isStatedLost(extended, row.lostHead)) {
    const caches = yield* Caches
    caches.of(FoldedProjects).set(projectId, project, row.historyBytes * foldedCopies)
  }
  return storedProject(row, project)
})

/**
 * 409 where events are known to be lost: the project is marked, or this process has read a history that the stored one, read
 * under its lock, does not continue.
 */
export const requireKnownHistory = Effect.fnUntraced(function* ({ row, project }: StoredProject) {
  yield* requireWholeHistory(project)
  const seen = yield* recentFold(row.projectId)
  if (seen !== undefined && lacksEventsOf(seen, project)) return yield* Effect.fail(readOnly)
})

/** A cached project consists of its fold, the views of its events, and their texts. */
const foldedCopies = 3

/** The fold with these events, if they continue its chain. */
const extend = (recent: Project, events: ReadonlyArray<ProjectEvent>): Project =>
  events[0] === undefined || events[0].previous === recent.head ? events.reduce(evolve, recent) : recent

/** A project from its row and its signed events. */
export const storedProjectFrom = (row: ProjectRow, sealed: ReadonlyArray<SealedEvent>): StoredProject =>
  storedProject(row, foldFrom(row, sealed))

const foldFrom = (row: ProjectRow, sealed: ReadonlyArray<SealedEvent>): Project =>
  projectFrom(parseCanonical(row.agreement), row.agreementDigest, sealed.map(openEvent))

/** Of the row alone: lost events, and the supplier's organization of revised terms before the first response. */
const storedProject = (row: ProjectRow, folded: Project): StoredProject => {
  const { supplier } = folded
  const project = row.lostHead === null ? folded : { ...folded, lostHead: row.lostHead }
  if (supplier.organizationId !== null || row.supplierOrganizationId === null) return { row, project }
  return { row, project: { ...project, supplier: { ...supplier, organizationId: row.supplierOrganizationId } } }
}

/** The head and the automation revision that the next command must name. */
export const currentPreconditions = ({ row, project }: StoredProject) => ({
  headEventHash: project.head,
  automationRevision: row.automationRevision
})

/** The signed events of a project after this sequence, oldest first. */
export const readEvents = (reader: Reader, projectId: string, after = 0) =>
  reader.range(ProjectEvents, "key", { prefix: [projectId], after: [after], limit: limits.eventsPerProject })

/** An event to append: its content, request, actor and time. */
export interface NewEvent {
  readonly content: EventContent
  readonly requestId: string
  readonly actor: Actor
  readonly now: Instant
}

/** Signs the next event, queues it with the project's row and for subscriptions, and returns the project after it. */
export const appendEvent = traced("projects.appendEvent")(function* (
  transaction: Transaction,
  { row, project }: StoredProject,
  occurrence: NewEvent
) {
  yield* requireKnownHistory({ row, project })
  const sealed = yield* sealEvent(project, row.lastEventAt, occurrence)
  const historyBytes = row.historyBytes + sealed.bytes
  const { event } = sealed
  if (historyBytes > byteLimitFor(occurrence) || event.sequence > limits.eventsPerProject) {
    return yield* refuseFullHistory
  }
  const next = evolve(project, event)
  const changes = {
    state: next.state,
    ...progressColumns(next),
    supplierActorId: next.supplier.actorId,
    supplierOrganizationId: next.supplier.organizationId ?? row.supplierOrganizationId,
    headEventHash: event.hash,
    eventCount: event.sequence,
    historyBytes,
    lastEventAt: event.occurredAt,
    ...(row.searchText === null ? { searchText: searchTextOf(next.agreement.terms) } : {})
  }
  yield* transaction.update(Projects, [row.projectId], changes)
  yield* transaction.insert(ProjectEvents, eventRow(event, sealed.jws))
  const { organizationId } = next.supplier
  // From its first response on, the supplier's organization lists the project.
  if (organizationId !== null && row.supplierOrganizationId === null && organizationId !== row.buyerOrganizationId) {
    const { projectId, createdAt } = row
    yield* transaction.insert(ProjectSides, { party: organizationId, projectId, role: "SUPPLIER", createdAt })
  }
  const after = { row: { ...row, ...changes }, project: next } satisfies StoredProject
  if (row.listeners > 0) {
    yield* Effect.flatMap(CommittedEvents, (events) => events.queue(transaction, event, after))
  }
  return after
})

/** The reserved bytes are for issuance and for events that end a project. */
const byteLimitFor = ({ content, actor }: NewEvent): number => {
  const move = moveOfEvent(content, actor)
  const isReserved = move !== undefined && moveNamed(move).reservedEvents !== undefined
  return isReserved ? limits.historyBytes : limits.historyBytes - limits.historyBytesReserved
}

/** A person decides how a project with a full history continues. */
export const refuseFullHistory = refuse("DELIVERY_HISTORY_LIMIT_REACHED", {
  requiredHumanAction: "REVIEW_CONTINUATION"
})

/** Signs the next event of the chain and computes its size. */
export const sealEvent = Effect.fnUntraced(function* (project: Project, lastEventAt: Instant, occurrence: NewEvent) {
  const signer = yield* Signer
  const payload = nextEvent(project, lastEventAt, occurrence)
  const members = canonicalMembers(payload)
  const text = joinMembers(members)
  const jws = yield* signer
    .sign("EVENT", payload, text)
    .pipe(Effect.catchTag("IssuerNotConfigured", () => refuse("ISSUER_NOT_CONFIGURED")))
  const event: ProjectEvent = { ...payload, hash: chainHashOf(members) }
  return { event, jws, bytes: Buffer.byteLength(text) }
})

/** Refuses an event that would exceed the history limit, as appending it would. */
export const requireHistoryBytes = ({ row, project }: StoredProject, occurrence: NewEvent) => {
  const bytes = Buffer.byteLength(canonicalText(nextEvent(project, row.lastEventAt, occurrence)))
  return row.historyBytes + bytes > byteLimitFor(occurrence) ? refuseFullHistory : Effect.void
}

/** `occurredAt` is monotonic. */
const nextEvent = (
  project: Project,
  lastEventAt: Instant,
  { content, requestId, actor, now }: NewEvent
): SignedEvent => {
  const occurredAt = later(now, lastEventAt)
  return {
    schema: "service.project-event/v1",
    projectId: project.agreement.projectId,
    sequence: usedSequence(project) + 1,
    previous: project.head,
    ...content,
    requestId,
    actor,
    occurredAt,
    issuedAt: occurredAt
  }
}

export const eventRow = (event: ProjectEvent, jws: string) => ({
  projectId: event.projectId,
  sequence: event.sequence,
  kind: event.kind,
  hash: event.hash,
  jws,
  occurredAt: event.occurredAt
})

const openEvent = ({ jws, hash }: SealedEvent): ProjectEvent => ({ ...parseSigned<ProjectEvent>(jws), hash })
