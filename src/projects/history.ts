/** The history of a project: signed events in a hash chain, appended one at a time and read in full. */
import { Effect } from "effect"
import { canonicalText, parseCanonical } from "../canonical/jcs.ts"
import { parseSigned } from "../canonical/jws.ts"
import { chainHash } from "../canonical/chain.ts"
import { Signer } from "../ports/signer.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { CommittedEvents } from "./committed-events.ts"
import type { Actor, EventContent, ProjectEvent, SignedEvent } from "./event.ts"
import { evolve, moveOfEvent, projectFrom } from "./evolve.ts"
import { moveNamed } from "./moves.ts"
import type { Project } from "./project.ts"
import { ProjectEvents, Projects, ProjectSides, type ProjectRow } from "./store.ts"

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

/** Reads a project with its whole history; undefined if unknown. */
export const readStoredProject = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const [row, sealed] = yield* readTogether([reader.get(Projects, [projectId]), readEvents(reader, projectId)])
  return row === undefined ? undefined : storedProjectFrom(row, sealed)
})

/** A project from its row and its signed events. */
export const storedProjectFrom = (row: ProjectRow, sealed: ReadonlyArray<SealedEvent>): StoredProject => {
  const agreement = parseCanonical(row.agreement)
  const project = projectFrom(agreement, row.agreementDigest, sealed.map(openEvent))
  // A revision of agreed terms has its supplier's organization before the first response.
  const organizationId = project.supplier.organizationId ?? row.supplierOrganizationId
  return { row, project: { ...project, supplier: { ...project.supplier, organizationId } } }
}

/** The head and the automation revision that the next command must name. */
export const currentPreconditions = ({ row, project }: StoredProject) => ({
  headEventHash: project.head,
  automationRevision: row.automationRevision
})

/** The signed events of a project, oldest first. */
export const readEvents = (reader: Reader, projectId: string) =>
  reader.range(ProjectEvents, "key", { prefix: [projectId], limit: limits.eventsPerProject })

/** An event to append: its content, request, actor and time. */
export interface NewEvent {
  readonly content: EventContent
  readonly requestId: string
  readonly actor: Actor
  readonly now: Instant
}

/** Signs the next event, queues it with the project's row and for subscriptions, and returns the project after it. */
export const appendEvent = Effect.fn("projects.appendEvent")(function* (
  transaction: Transaction,
  { row, project }: StoredProject,
  occurrence: NewEvent
) {
  const sealed = yield* sealEvent(project, row.lastEventAt, occurrence)
  const historyBytes = row.historyBytes + sealed.bytes
  if (historyBytes > byteLimitFor(occurrence)) return yield* refuseFullHistory
  const { event } = sealed
  const next = evolve(project, event)
  const changes = {
    state: next.state,
    supplierActorId: next.supplier.actorId,
    supplierOrganizationId: next.supplier.organizationId ?? row.supplierOrganizationId,
    headEventHash: event.hash,
    eventCount: event.sequence,
    historyBytes,
    lastEventAt: event.occurredAt
  }
  yield* transaction.update(Projects, [row.projectId], changes)
  yield* transaction.insert(ProjectEvents, eventRow(event, sealed.jws))
  const { organizationId } = next.supplier
  // From its first response on, the supplier's organization lists the project.
  if (organizationId !== null && row.supplierOrganizationId === null && organizationId !== row.buyerOrganizationId) {
    yield* transaction.insert(ProjectSides, { party: organizationId, projectId: row.projectId, role: "SUPPLIER" })
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
  const jws = yield* signer
    .sign("EVENT", payload)
    .pipe(Effect.catchTag("IssuerNotConfigured", () => refuse("ISSUER_NOT_CONFIGURED")))
  const event: ProjectEvent = { ...payload, hash: chainHash(payload) }
  return { event, jws, bytes: bytesOf(payload) }
})

/** Refuses an event that would exceed the history limit, as appending it would. */
export const requireHistoryBytes = ({ row, project }: StoredProject, occurrence: NewEvent) => {
  const bytes = bytesOf(nextEvent(project, row.lastEventAt, occurrence))
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
    sequence: project.events.length + 1,
    previous: project.head,
    ...content,
    requestId,
    actor,
    occurredAt,
    issuedAt: occurredAt
  }
}

const bytesOf = (payload: SignedEvent): number => Buffer.byteLength(canonicalText(payload))

export const eventRow = (event: ProjectEvent, jws: string) => ({
  projectId: event.projectId,
  sequence: event.sequence,
  kind: event.kind,
  hash: event.hash,
  jws,
  occurredAt: event.occurredAt
})

const openEvent = ({ jws, hash }: SealedEvent): ProjectEvent => ({ ...parseSigned<ProjectEvent>(jws), hash })
