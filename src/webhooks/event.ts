/** The events that callbacks tell of, as they are signed: no text of anybody, only what names things (6.1). Pure. */
import { digestOf } from "../canonical/digest.ts"
import { canonicalText } from "../canonical/jcs.ts"
import type { ProjectEvent } from "../projects/event.ts"
import { moves, type Project } from "../projects/project.ts"
import type { EventType } from "../vocabulary/event-types.ts"
import { idFromDigest } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"

/** The body of a callback before `currentNextAction` is added. */
export interface CallbackEvent {
  readonly type: EventType
  readonly id: string
  readonly projectId: string
  readonly sequence: number
  readonly agreementVersion: number
  readonly agreementDigest: string
  readonly headEventHash: string
  readonly submissionId: string | null
  /** The review of that submission; never one of an earlier. */
  readonly reviewId: string | null
  readonly state: Project["state"]
  readonly occurredAt: Instant
}

/** What a committed event tells; nobody can listen to a project before its first event. */
export const callbackEvent = (event: ProjectEvent, after: Project): CallbackEvent => ({
  type: typeOf(event),
  // The hash names the event already, so that no chance is needed to name it again.
  id: idFromDigest("event", event.hash),
  projectId: event.projectId,
  sequence: event.sequence,
  agreementVersion: after.agreement.version,
  agreementDigest: after.agreementDigest,
  headEventHash: event.hash,
  submissionId: after.submission?.submissionId ?? null,
  reviewId:
    after.review !== null && after.review.submissionId === after.submission?.submissionId
      ? after.review.reviewId
      : null,
  state: after.state,
  occurredAt: event.occurredAt
})

/** As the table of moves says; what has no row of its own there is another recorded change. */
const typeOf = (event: ProjectEvent): EventType => {
  switch (event.kind) {
    case "RESPOND":
      return moves[`RESPOND_${event.payload.action}`].emits
    case "SUBMIT":
      return moves.SUBMIT.emits
    case "REVIEW":
      return moves[`REVIEW_${event.payload.action}`].emits
    default:
      return "record.changed"
  }
}

/** The identity of one event for one subscription; it stays through every attempt. */
export const deliveryIdOf = (subscriptionId: string, eventId: string): string =>
  `whd_${digestOf({ subscriptionId, eventId })}`

/** The exact bytes of a callback: the event, and what is next for this subscriber at the time of sending. */
export const envelopeOf = (event: string, currentNextAction: object): string =>
  canonicalText({ ...(JSON.parse(event) as CallbackEvent), currentNextAction })
