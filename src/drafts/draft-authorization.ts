/** Authorization of people on drafts: members of its organization with an authority of its side. */
import { Effect } from "effect"
import {
  memberLocks,
  membershipIn,
  requireAuthority,
  requireSession,
  type ActingPerson
} from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { inView } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { draftAuthorities } from "./draft.ts"
import { Drafts, type DraftRow } from "./store.ts"

/** The draft, with the membership under which the person may access it. */
export const requireDraft = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  draftId: string,
  now: Instant
) {
  const row = yield* reader.get(Drafts, [draftId])
  const membership = row && (yield* membershipIn(reader, by.personId, row.organizationId, now))
  if (row === undefined || membership === undefined || !mayAccessDraft(membership, row, now)) {
    // The same refusal for an unknown draft: its existence is not disclosed.
    return yield* refuse("FORBIDDEN", { detail: "You may not access a draft with this id." })
  }
  return { row, membershipId: membership.membershipId }
})

export const mayAccessDraft = (
  membership: Parameters<typeof holds>[0],
  { role }: Pick<DraftRow, "role">,
  now: Instant
): boolean => draftAuthorities(role).some((authority) => holds(membership, authority, now))

/** Finds the draft and the membership before the transaction, which locks and rechecks both. */
export const findDraft = Effect.fnUntraced(function* (by: ActingPerson, draftId: string) {
  const now = yield* currentTime
  return yield* inView((reader) => requireDraft(reader, by, draftId, now))
})

/** The locks of a person's command on a draft. */
export const draftLocks = (by: ActingPerson, membershipId: string, draftId: string) => [
  ...memberLocks(by, membershipId),
  exclusive("draft", draftId)
]

/** Under those locks: the session is live, and the membership has an authority for the draft. */
export const requireDraftAuthority = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: ActingPerson,
  { role }: Pick<DraftRow, "role">,
  membershipId: string,
  now: Instant
) {
  yield* requireSession(transaction, by, now)
  return yield* requireAuthority(transaction, membershipId, draftAuthorities(role), now)
})
