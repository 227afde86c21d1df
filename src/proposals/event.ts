/** The events of a proposal, as they are signed. */
import type { Actor, RespondPayload } from "../projects/event.ts"
import type { Instant } from "../vocabulary/instant.ts"

/** A version, named by its digest. */
export interface VersionPayload {
  readonly version: number
  readonly proposalDigest: string
}

export interface PublishPayload extends VersionPayload {
  readonly recipientActorId: string
}

export interface AnswerPayload extends VersionPayload {
  readonly action: RespondPayload["action"]
  readonly reason: string
  /** ACCEPT only, like `agreement`. */
  readonly confirmationDigest?: string
  readonly agreement?: { readonly projectId: string; readonly digest: string }
}

export type ProposalEventContent =
  | { readonly kind: "CREATE" | "UPDATE" | "WITHDRAW"; readonly payload: VersionPayload }
  | { readonly kind: "PUBLISH"; readonly payload: PublishPayload }
  | { readonly kind: "RESPOND"; readonly payload: AnswerPayload }

interface EventEnvelope {
  readonly schema: "service.proposal-event/v1"
  readonly proposalId: string
  readonly sequence: number
  readonly previous: string
  readonly requestId: string
  readonly actor: Actor
  readonly occurredAt: Instant
  readonly issuedAt: Instant
  /** The event's own hash, which its successor names. */
  readonly hash: string
}

export type ProposalEvent = EventEnvelope & ProposalEventContent
