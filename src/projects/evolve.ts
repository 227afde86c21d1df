/** The fold of events into a project. Pure: no clock, ids or I/O. */
import { digestOf } from "../canonical/digest.ts"
import type { Agreement } from "./agreement.ts"
import type { ProjectEvent, ReviewPayload, SubmitPayload } from "./event.ts"
import type { Project } from "./project.ts"
import { moves } from "./moves.ts"

/** The project after its events. The first event is `CREATE`, whose predecessor is the agreement. */
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
    hold: null,
    concern: null,
    signatures: [],
    successor: null,
    recordId: null
  })

/** The project after one more event. */
export const evolve = (project: Project, event: ProjectEvent): Project => {
  const next = { ...project, head: event.hash, events: [...project.events, event] }
  const { requestId, occurredAt, actor } = event
  const { role } = actor
  switch (event.kind) {
    case "CREATE":
      return next
    case "INVITATION_ACCEPTED":
      return { ...next, supplier: { actorId: actor.id, organizationId: actor.organizationId } }
    case "RESPOND": {
      const supplier = { actorId: actor.id, organizationId: actor.organizationId }
      return { ...next, state: moves[`RESPOND_${event.payload.action}`].to, supplier }
    }
    case "SIGN": {
      const { party, signature } = event.payload
      return { ...next, signatures: [...next.signatures, { subject: "AGREEMENT", party, signature, occurredAt }] }
    }
    case "SUBMIT": {
      const submission = withDigest(event.payload, { ...event.payload, requestId, occurredAt })
      return { ...next, state: moves.SUBMIT.to, submission, review: null }
    }
    case "REVIEW":
      return applyReview(next, event.payload, event)
    case "ISSUE":
      return { ...next, recordId: event.payload.recordId }
    case "DATE_REVISION": {
      const { purpose, reason } = event.payload
      return { ...next, hold: { purpose, requestedBy: role, reason, occurredAt } }
    }
    case "LIFT_HOLD":
      return { ...next, hold: null }
    case "CONCERN": {
      const { kind, reason } = event.payload
      return { ...next, state: moves.CONCERN.to, concern: { kind, raisedBy: role, reason, occurredAt } }
    }
    case "RESOLVE_CONCERN": {
      const move = event.payload.resolution === "UPHELD" ? moves.UPHOLD_CONCERN : moves.DISMISS_CONCERN
      return { ...next, state: move.to, concern: null }
    }
    case "WITHDRAW_CONFIRMATION":
      return { ...next, state: moves.WITHDRAW_CONFIRMATION.to }
    case "CHANGE_REPRESENTATIVE":
      return { ...next, supplier: { ...next.supplier, actorId: event.payload.supplierActorId } }
    case "SUPERSEDE":
      return { ...next, state: moves.SUPERSEDE.to, hold: null, concern: null, successor: event.payload.successor }
  }
}

const applyReview = (next: Project, payload: ReviewPayload, { requestId, occurredAt }: ProjectEvent): Project => {
  const review = withDigest(payload, { ...payload, requestId, occurredAt })
  const state = moves[`REVIEW_${payload.action}`].to
  if (payload.action !== "ACCEPT") return { ...next, state, review }
  const { confirmationId, reviewId, submissionId, signature } = payload
  const signed = { subject: "ACCEPTANCE", party: "BUYER", occurredAt } as const
  const signatures = signature === undefined ? next.signatures : [...next.signatures, { ...signed, signature }]
  return {
    ...next,
    state,
    review,
    confirmation: { confirmationId, reviewId, submissionId, occurredAt },
    signatures
  }
}

/** Adds the payload's digest, computed lazily: only the last submission and review are read. */
const withDigest = <A extends object>(payload: SubmitPayload | ReviewPayload, value: A) => {
  let digest: string | undefined
  return Object.defineProperty(value as A & { readonly digest: string }, "digest", {
    enumerable: true,
    get: () => (digest ??= digestOf(payload))
  })
}
