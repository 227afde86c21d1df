/** A membership is the organization grant: the parent of every agent grant (decisions, "People"). */
import type { Instant } from "../vocabulary/instant.ts"

export const authorities = [
  "DELEGATE",
  "AGREEMENT_CREATE",
  "RESULT_DRAFT_CREATE",
  "PROPOSAL_MANAGE",
  "TERMS_RESPOND",
  "MATERIALS_SUBMIT",
  "DELIVERY_REVIEW",
  "COMPLETION_CONFIRM",
  "RECORD_ISSUE",
  "FINANCIAL_READ",
  "FINANCIAL_MANAGE",
  "PUBLICATION_MANAGE",
  "MEMBERS_MANAGE"
] as const
export type Authority = (typeof authorities)[number]

export interface Validity {
  readonly validFrom: Instant
  readonly validUntil: Instant
  readonly endedAt: Instant | null
  readonly authorities: ReadonlyArray<Authority>
}

/** In force from `validFrom` until `validUntil`, exclusive, unless a person has ended it. */
export const isInForce = (membership: Validity, now: Instant): boolean =>
  membership.endedAt === null && membership.validFrom <= now && now < membership.validUntil

/**
 * Ended or expired, which is final. A membership may be neither in force nor ended: the clock of the process that created it
 * is ahead of this one.
 */
export const hasEnded = ({ endedAt, validUntil }: Validity, now: Instant): boolean =>
  endedAt !== null || validUntil <= now

export const holds = (membership: Validity, authority: Authority, now: Instant): boolean =>
  isInForce(membership, now) && confers(membership.authorities, authority)

/** True where these authorities include the one, or another that implies it. */
export const confers = (held: ReadonlyArray<Authority>, authority: Authority): boolean =>
  held.includes(authority) || (authority === "FINANCIAL_READ" && held.includes("FINANCIAL_MANAGE"))
