/** Authorization of people on drafts: members of its organization with an authority of its side. */
import { Effect } from "effect"
import { humanRoots, membershipIn, requireAuthority, requireHuman, type Human } from "../people/human.ts"
import { holds } from "../people/membership.ts"
import { exclusive, shared, Storage, type Reader, type Transaction } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { handlingAuthorities } from "./draft.ts"
import { Drafts, type DraftRow } from "./store.ts"

/** The draft, with the membership under which the person may access it. */
export const requireDraft = Effect.fnUntraced(function* (reader: Reader, by: Human, draftId: string, now: Instant) {
  const row = yield* reader.get(Drafts, [draftId])
  const membership = row && (yield* membershipIn(reader, by.personId, row.organizationId, now))
  if (row === undefined || membership === undefined || !mayHandle(membership, row, now)) {
    // The same refusal for an unknown draft: its existence is not disclosed.
    return yield* refuse("FORBIDDEN", { detail: "You may not access a draft with this id." })
  }
  return { row, membershipId: membership.membershipId }
})

export const mayHandle = (
  membership: Parameters<typeof holds>[0],
  { role }: Pick<DraftRow, "role">,
  now: Instant
): boolean => handlingAuthorities(role).some((authority) => holds(membership, authority, now))

/** Finds the draft and the membership before the transaction, which locks and rechecks both. */
export const findDraft = Effect.fnUntraced(function* (by: Human, draftId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) => requireDraft(reader, by, draftId, now))
})

/** The locks of a person's command on a draft. */
export const handlingRoots = (by: Human, membershipId: string, draftId: string) => [
  ...humanRoots(by),
  shared("membership", membershipId),
  exclusive("draft", draftId)
]

/** Under those locks: the session is live, and the membership has an authority for the draft. */
export const requireHandler = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: Human,
  { role }: Pick<DraftRow, "role">,
  membershipId: string,
  now: Instant
) {
  yield* requireHuman(transaction, by, now)
  return yield* requireAuthority(transaction, membershipId, handlingAuthorities(role), now)
})
