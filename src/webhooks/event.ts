/** The signed events that webhooks carry: identifiers and states only, no free text of a party (6.1). Pure. */
import { canonicalText, parseCanonical, type CanonicalText } from "../canonical/jcs.ts"
import type { ProjectEvent } from "../projects/event.ts"
import type { Project } from "../projects/project.ts"
import { moveOfEvent } from "../projects/evolve.ts"
import { moveNamed } from "../projects/moves.ts"
import type { EventType } from "../vocabulary/event-types.ts"
import { idFromDigest } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"

/** The body of a webhook without `currentNextAction`. */
export interface WebhookPayload {
  readonly type: EventType
  readonly id: string
  readonly projectId: string
  readonly sequence: number
  readonly agreementVersion: number
  readonly agreementDigest: string
  readonly headEventHash: string
  readonly submissionId: string | null
  /** The review of that submission, never of an earlier one. */
  readonly reviewId: string | null
  readonly state: Project["state"]
  readonly occurredAt: Instant
}

/** The webhook event of a committed project event. */
export const webhookPayloadOf = (event: ProjectEvent, after: Project): WebhookPayload => ({
  type: typeOf(event),
  // Derived from the event's hash, so that it is deterministic.
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

/** From the table of moves; the creation, which no move makes, changes the record. */
const typeOf = (event: ProjectEvent): EventType => {
  const move = moveOfEvent(event, event.actor)
  return move === undefined ? "record.changed" : moveNamed(move).emits
}

/** The exact bytes of a webhook: the event, and the subscriber's next action at the time of sending. */
export const envelopeOf = (event: CanonicalText<WebhookPayload>, currentNextAction: object): string =>
  canonicalText({ ...parseCanonical(event), currentNextAction })
