/** The hash that chains signed events: each event names that of its predecessor. */
import { sha256Hex } from "./digest.ts"
import { canonicalMembers, joinMembers } from "./jcs.ts"

/**
 * The digest of a signed payload without `issuedAt`: it identifies the event, which does not depend on the time of its
 * signature.
 */
export const chainHash = (payload: object): string => chainHashOf(canonicalMembers(payload))

/** The same, for canonical members that are already computed. */
export const chainHashOf = (members: ReadonlyMap<string, string>): string => sha256Hex(joinMembers(members, "issuedAt"))
