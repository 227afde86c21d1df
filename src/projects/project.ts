/**
 * A project: one exact agreement version and what has happened to it. The states, the moves between them, and how each
 * event changes the project. No clock, no ids, no input or output.
 */
import type { Role } from "../access/actions.ts"
import { digestOf } from "../canonical/digest.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Agreement } from "./agreement.ts"
import type { ProjectEvent, ReviewPayload, SubmitPayload } from "./event.ts"

export const states = [
  "AWAITING_SUPPLIER",
  "LOCKED",
  "SUBMITTED",
  "CHANGES_REQUESTED",
  "AWAITING_EVIDENCE",
  "AGREEMENT_CHANGES_REQUESTED",
  "SUPPLIER_DECLINED",
  "BUYER_REJECTED",
  "BUYER_CONFIRMED",
  "CONFIRMATION_CONTESTED",
  "CONFIRMATION_WITHDRAWN",
  "SUPERSEDED"
] as const
export type State = (typeof states)[number]

export type EventType =
  | "agreement.confirmed"
  | "delivery.submitted"
  | "changes.requested"
  | "acceptance.decided"
  | "record.changed"

interface Move {
  readonly by: Role
  readonly from: ReadonlyArray<State>
  /** Absent where the state stays. */
  readonly to?: State
  readonly emits: EventType
}

/** The table of decisions.md, "Agreement and project": who may do what from which state, and where it leads. */
export const moves = {
  RESPOND_ACCEPT: { by: "SUPPLIER", from: ["AWAITING_SUPPLIER"], to: "LOCKED", emits: "agreement.confirmed" },
  RESPOND_REQUEST_CHANGES: {
    by: "SUPPLIER",
    from: ["AWAITING_SUPPLIER"],
    to: "AGREEMENT_CHANGES_REQUESTED",
    emits: "record.changed"
  },
  RESPOND_DECLINE: { by: "SUPPLIER", from: ["AWAITING_SUPPLIER"], to: "SUPPLIER_DECLINED", emits: "record.changed" },
  SUBMIT: {
    by: "SUPPLIER",
    from: ["LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"],
    to: "SUBMITTED",
    emits: "delivery.submitted"
  },
  REVIEW_REQUEST_CHANGES: { by: "BUYER", from: ["SUBMITTED"], to: "CHANGES_REQUESTED", emits: "changes.requested" },
  REVIEW_REQUEST_EVIDENCE: { by: "BUYER", from: ["SUBMITTED"], to: "AWAITING_EVIDENCE", emits: "changes.requested" },
  REVIEW_ACCEPT: { by: "BUYER", from: ["SUBMITTED"], to: "BUYER_CONFIRMED", emits: "acceptance.decided" },
  REVIEW_REJECT: { by: "BUYER", from: ["SUBMITTED"], to: "BUYER_REJECTED", emits: "acceptance.decided" },
  ISSUE: { by: "BUYER", from: ["BUYER_CONFIRMED"], emits: "record.changed" }
} as const satisfies { readonly [move: string]: Move }
export type MoveName = keyof typeof moves

/** True where the table lets the move start from that state. */
export const canMove = (state: State, name: MoveName): boolean => {
  const move: Move = moves[name]
  return move.from.includes(state)
}

export interface Submission extends SubmitPayload {
  readonly requestId: string
  readonly digest: string
  readonly occurredAt: Instant
}

export interface Review extends ReviewPayload {
  readonly requestId: string
  readonly digest: string
  readonly occurredAt: Instant
}

export interface Confirmation {
  readonly confirmationId: string
  readonly reviewId: string
  readonly submissionId: string
  readonly occurredAt: Instant
}

export interface Project {
  readonly agreement: Agreement
  readonly agreementDigest: string
  readonly state: State
  readonly head: string
  readonly events: ReadonlyArray<ProjectEvent>
  readonly supplier: { readonly actorId: string | null; readonly organizationId: string | null }
  readonly submission: Submission | null
  readonly review: Review | null
  readonly confirmation: Confirmation | null
  readonly recordId: string | null
}

/** The project as its events tell it. The first event is `CREATE`, whose predecessor is the agreement. */
export const projectFrom = (agreement: Agreement, digest: string, events: ReadonlyArray<ProjectEvent>): Project =>
  events.reduce(evolve, {
    agreement,
    agreementDigest: digest,
    state: "AWAITING_SUPPLIER",
    head: digest,
    events: [],
    supplier: { actorId: agreement.supplier.actorId, organizationId: null },
    submission: null,
    review: null,
    confirmation: null,
    recordId: null
  })

/** What an event makes of a project. */
export const evolve = (project: Project, event: ProjectEvent): Project => {
  const next = { ...project, head: event.hash, events: [...project.events, event] }
  const { requestId, occurredAt } = event
  switch (event.kind) {
    case "CREATE":
      return next
    case "INVITATION_ACCEPTED":
      return { ...next, supplier: { actorId: event.actor.id, organizationId: event.actor.organizationId } }
    case "RESPOND": {
      const supplier = { actorId: event.actor.id, organizationId: event.actor.organizationId }
      return { ...next, state: moves[`RESPOND_${event.payload.action}`].to, supplier }
    }
    case "SUBMIT": {
      const submission = digested(event.payload, { ...event.payload, requestId, occurredAt })
      return { ...next, state: moves.SUBMIT.to, submission, review: null }
    }
    case "REVIEW": {
      const review = digested(event.payload, { ...event.payload, requestId, occurredAt })
      const state = moves[`REVIEW_${event.payload.action}`].to
      const { confirmationId, reviewId, submissionId } = event.payload
      if (confirmationId === undefined) return { ...next, state, review }
      return { ...next, state, review, confirmation: { confirmationId, reviewId, submissionId, occurredAt } }
    }
    case "ISSUE":
      return { ...next, recordId: event.payload.recordId }
  }
}

/** Adds the payload's digest, made when it is asked for: of all submissions and reviews only the last ones matter. */
const digested = <A extends object>(
  payload: SubmitPayload | ReviewPayload,
  value: A
): A & { readonly digest: string } =>
  Object.defineProperty(value as A & { digest: string }, "digest", { enumerable: true, get: () => digestOf(payload) })
