/** A project: one exact agreement version, its history and its state. */
import type { Role } from "../access/actions.ts"
import { digestOf } from "../canonical/digest.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Agreement } from "./agreement.ts"
import type { LostHead } from "./lost-head.ts"
import type {
  ConcernPayload,
  DateRevisionPayload,
  ProjectEvent,
  ReviewPayload,
  Signature,
  SubmitPayload,
  SupersedePayload
} from "./event.ts"

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

export interface Submission extends SubmitPayload {
  readonly requestId: string
  readonly digest: string
  readonly occurredAt: Instant
}

export type Review = ReviewPayload & {
  readonly requestId: string
  readonly digest: string
  readonly occurredAt: Instant
}

export interface AcceptanceDecision {
  readonly confirmationId: string
  readonly reviewId: string
  readonly submissionId: string
  readonly occurredAt: Instant
}

/** A requested date revision: it stops people too, and extends no deadline. */
export interface Hold {
  readonly purpose: DateRevisionPayload["purpose"]
  readonly requestedBy: Role
  readonly reason: string
  readonly occurredAt: Instant
}

/** A concern that pauses reliance on the confirmation. */
export interface Concern {
  readonly kind: ConcernPayload["kind"]
  readonly raisedBy: Role
  readonly reason: string
  readonly occurredAt: Instant
}

/** A party's recorded signature. */
export interface RecordedSignature {
  readonly subject: "AGREEMENT" | "ACCEPTANCE"
  readonly party: Role
  readonly signature: Signature
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
  readonly confirmation: AcceptanceDecision | null
  readonly hold: Hold | null
  readonly concern: Concern | null
  readonly signatures: ReadonlyArray<RecordedSignature>
  readonly successor: SupersedePayload["successor"] | null
  readonly recordId: string | null
  /** The newest lost event that is known: it is part of no history. */
  readonly lostHead: LostHead | null
}

/** Adds the payload's digest, computed lazily: only the last submission and review are read. */
export const withDigest = <A extends object>(payload: SubmitPayload | ReviewPayload, value: A) => {
  let digest: string | undefined
  return Object.defineProperty(value as A & { readonly digest: string }, "digest", {
    enumerable: true,
    get: () => (digest ??= digestOf(payload))
  })
}
