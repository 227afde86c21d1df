/** An invitation: a one-time code for one person, with fixed terms. */
import { Effect } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { exclusive, shared, type Reader, type Transaction } from "../ports/storage.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { isToken } from "../vocabulary/token.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { derivedTokens } from "../replay/derived-token.ts"
import { requireAuthority, type ActingPerson } from "./acting-person.ts"
import type { Authority } from "./membership.ts"
import { Invitations, type Invitation } from "./store.ts"

export const invitationKinds = ["MEMBERSHIP", "REPRESENTATIVE", "PARTICIPATION"] as const
export type InvitationKind = (typeof invitationKinds)[number]
export type InvitationState = "OPEN" | "ACCEPTED" | "REVOKED"

/** The terms of an invitation, shown before it is accepted. */
export type InvitationTerms =
  | { readonly kind: "MEMBERSHIP"; readonly authorities: ReadonlyArray<Authority>; readonly validUntil: Instant }
  | { readonly kind: "REPRESENTATIVE"; readonly title: string; readonly agreementDigest: string }
  | {
      readonly kind: "PARTICIPATION"
      readonly title: string
      readonly instructions: string
      readonly dueAt: Instant | null
    }

/** The authority that the inviter's membership must carry, at the invitation and at its acceptance. */
export const authorityToInvite: { readonly [K in InvitationKind]: Authority } = {
  MEMBERSHIP: "MEMBERS_MANAGE",
  REPRESENTATIVE: "AGREEMENT_CREATE",
  PARTICIPATION: "DELEGATE"
}

/** A new invitation, or the id of the one that an earlier request created. */
export type InvitationResult =
  | { readonly invitationId: string; readonly code: string; readonly expiresAt: Instant }
  | { readonly again: string }

/** The code of an invitation, derived from its request, so that a replay recovers a lost response. */
const codesOf = (secrets: Secrets["Service"], invitationId: string, { owner, requestId }: IdempotentRequest) =>
  derivedTokens(secrets, "invitation", "INVITATION", requestId, [owner, invitationId])

export const insertInvitation = Effect.fnUntraced(function* (
  transaction: Transaction,
  invitation: Pick<
    Invitation,
    "invitationId" | "organizationId" | "projectId" | "terms" | "invitedBy" | "membershipId"
  >,
  request: IdempotentRequest,
  now: Instant
) {
  const secrets = yield* Secrets
  const { token: code, tokenHash: codeHash } = codesOf(secrets, invitation.invitationId, request)[0]!
  const expiresAt = addMilliseconds(now, limits.invitationLifetime)
  yield* transaction.insert(Invitations, {
    ...invitation,
    codeHash,
    kind: invitation.terms.kind,
    createdAt: now,
    expiresAt,
    state: "OPEN",
    concludedAt: null,
    acceptedBy: null,
    madeId: null
  })
  return { invitationId: invitation.invitationId, code, expiresAt }
})

/** The code of an earlier request, recovered within ten minutes. */
export const recoverInvitation = Effect.fnUntraced(function* (
  reader: Reader,
  invitationId: string,
  request: IdempotentRequest,
  now: Instant
) {
  const secrets = yield* Secrets
  const row = yield* reader.get(Invitations, [invitationId])
  const code = codesOf(secrets, invitationId, request).find((one) => one.tokenHash === row?.codeHash)?.token
  if (row === undefined || code === undefined || addMilliseconds(row.createdAt, limits.secretRecovery) <= now) {
    return yield* refuse("SECRET_ALREADY_SHOWN")
  }
  return { invitationId, code, expiresAt: row.expiresAt }
})

export const isOpen = ({ state, expiresAt }: Pick<Invitation, "state" | "expiresAt">, now: Instant): boolean =>
  state === "OPEN" && now < expiresAt

/** The invitation with a code: open, or accepted by this person. */
export const findInvitation = Effect.fnUntraced(function* (
  reader: Reader,
  code: string,
  human: ActingPerson,
  now: Instant
) {
  const { tokenHash } = yield* Secrets
  const row = isToken("invitation", code) ? yield* reader.find(Invitations, "byCode", [tokenHash(code)]) : undefined
  if (row === undefined || !(isOpen(row, now) || row.acceptedBy === human.personId)) {
    return yield* refuse("INVITATION_UNKNOWN")
  }
  return row
})

/** The locks under which an invitation is accepted: its own, and that of the inviter's membership. */
export const acceptanceLocks = ({ invitationId, membershipId }: Invitation) => [
  shared("membership", membershipId),
  exclusive("invitation", invitationId)
]

/** Under its locks: the invitation is open, and its inviter still has the authority for it. */
export const requireOpenInvitation = Effect.fnUntraced(function* (
  transaction: Transaction,
  { invitationId }: Invitation,
  now: Instant
) {
  const row = yield* transaction.get(Invitations, [invitationId])
  if (row === undefined || !isOpen(row, now)) return yield* refuse("INVITATION_UNKNOWN")
  yield* requireAuthority(transaction, row.membershipId, [authorityToInvite[row.kind]], now).pipe(
    Effect.catchTag("Refusal", () => refuse("INVITATION_UNKNOWN"))
  )
  return row
})

export const concludeInvitation = (
  transaction: Transaction,
  invitationId: string,
  conclusion:
    | { readonly state: "ACCEPTED"; readonly acceptedBy: string; readonly madeId: string }
    | { readonly state: "REVOKED" },
  now: Instant
) => transaction.update(Invitations, [invitationId], { ...conclusion, concludedAt: now })
