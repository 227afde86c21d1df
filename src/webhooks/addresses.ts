/** Decides to which addresses webhooks may be sent: public unicast addresses that are not this machine's. */
import { Result } from "effect"
import ipaddr from "ipaddr.js"
import { limits } from "../vocabulary/limits.ts"

/**
 * All addresses that a name resolves to, of both families, or why none is used: one refused address refuses all. `own`
 * are the addresses of this machine. The reason is for the log.
 */
export const checkAnswers = (
  answers: ReadonlyArray<string>,
  own: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, string> => {
  if (answers.length === 0) return Result.fail("no address")
  if (answers.length > limits.webhookAddresses) return Result.fail(`${answers.length} addresses`)
  const ours = new Set(own.map(canonicalAddress))
  const refused = answers.find((answer) => !isPublic(answer) || ours.has(canonicalAddress(answer)))
  return refused === undefined ? Result.succeed(answers) : Result.fail(`${refused} is not public`)
}

/** Accepts canonical spellings only, and no zone. */
export const isPublic = (address: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const parsed = ipaddr.IPv4.parse(address)
    return parsed.range() === "unicast" && !cloudPlatforms.some((block) => parsed.match(block))
  }
  if (address.includes("%") || !ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.IPv6.parse(address)
  // The space outside 2000::/3 is not allocated, so a list of special ranges is not sufficient.
  return parsed.match(globalUnicast) && parsed.range() === "unicast" && !parsed.match(sixBone)
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** The experimental network of RFC 3701, returned to IANA; it should be filtered. */
const sixBone = ipaddr.IPv6.parseCIDR("3ffe::/16")

/** Public by registration, but internal to a cloud: Azure's platform, IBM's service network. */
const cloudPlatforms = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((block) =>
  ipaddr.IPv4.parseCIDR(block)
)

/** The canonical text of an address. */
const canonicalAddress = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address
