/** The record gate: which persons of a party receive the delivery material of a result, alone or inside of a closure. */
import type { Role } from "../access/actions.ts"
import type { Authority } from "../people/membership.ts"

/** A person with a membership in force of one side. */
export interface PartyMember {
  readonly personId: string
  readonly side: Role
  readonly authorities: ReadonlyArray<Authority>
}

/** The persons that a project names for its sides. */
export interface NamedPersons {
  readonly buyerActorId: string
  readonly supplierActorId: string | null
}

/** Each of them lets a member of the buyer act on deliveries, or disclose their results. */
export const recordAuthorities: ReadonlyArray<Authority> = [
  "AGREEMENT_CREATE",
  "DELIVERY_REVIEW",
  "COMPLETION_CONFIRM",
  "RECORD_ISSUE",
  "PUBLICATION_MANAGE"
]

/** True for the buyer's person who made the agreement, members of the buyer with an authority, and the representative. */
export const passesRecordGate = (
  { buyerActorId, supplierActorId }: NamedPersons,
  { personId, side, authorities }: PartyMember
): boolean =>
  side === "SUPPLIER"
    ? personId === supplierActorId
    : personId === buyerActorId || recordAuthorities.some((authority) => authorities.includes(authority))

export const needsRecordGate: { readonly [R in Role]: string } = {
  BUYER: `The delivery material of a result is for the buyer's person who made the agreement, and for members with one of the authorities ${recordAuthorities.join(", ")}; ask one of them.`,
  SUPPLIER: "The delivery material of a result is for the supplier's named representative; ask that person."
}
