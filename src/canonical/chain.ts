/** The hash by which one signed event names its predecessor. */
import { sha256Hex } from "./digest.ts"
import { canonicalMembers, joinMembers } from "./jcs.ts"

/**
 * The digest of a signed payload without `issuedAt`: an event is what happened, and when its signature was made does
 * not change what happened.
 */
export const chainHash = (payload: object): string => chainHashOf(canonicalMembers(payload))

/** The same, for a payload whose canonical members are at hand. */
export const chainHashOf = (members: ReadonlyMap<string, string>): string => sha256Hex(joinMembers(members, "issuedAt"))
