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

export const holds = (membership: Validity, authority: Authority, now: Instant): boolean =>
  isInForce(membership, now) && confers(membership.authorities, authority)

/** True where these authorities include the one, or another that implies it. */
export const confers = (held: ReadonlyArray<Authority>, authority: Authority): boolean =>
  held.includes(authority) || (authority === "FINANCIAL_READ" && held.includes("FINANCIAL_MANAGE"))
