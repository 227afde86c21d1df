/** Which addresses a callback may be sent to: what the registries give to the public Internet, and nothing of ours. */
import { Result } from "effect"
import ipaddr from "ipaddr.js"
import { limits } from "../vocabulary/limits.ts"

/**
 * All answers that a name has, of both families, or why none of them is used: one that is refused refuses them all, at
 * any place in the list. `own` are the addresses of this machine. The reason is for the log.
 */
export const checkAnswers = (
  answers: ReadonlyArray<string>,
  own: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, string> => {
  if (answers.length === 0) return Result.fail("no address")
  if (answers.length > limits.callbackAddresses) return Result.fail(`${answers.length} addresses`)
  const ours = new Set(own.map(plain))
  const refused = answers.find((answer) => !isPublic(answer) || ours.has(plain(answer)))
  return refused === undefined ? Result.succeed(answers) : Result.fail(`${refused} is not public`)
}

/** An address by its canonical text; every other spelling is refused, and so is a zone. */
export const isPublic = (address: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const parsed = ipaddr.IPv4.parse(address)
    return parsed.range() === "unicast" && !cloudPlatforms.some((block) => parsed.match(block))
  }
  if (address.includes("%") || !ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.IPv6.parse(address)
  // Not being in a list of what is special is not enough: the rest of the space beyond 2000::/3 belongs to nobody.
  return parsed.match(globalUnicast) && parsed.range() === "unicast" && !parsed.match(sixBone)
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** The experimental network of RFC 3701, given back and to be filtered. */
const sixBone = ipaddr.IPv6.parseCIDR("3ffe::/16")

/** Registered as public, and answered by the inside of a cloud: Azure's platform, IBM's service network. */
const cloudPlatforms = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((block) =>
  ipaddr.IPv4.parseCIDR(block)
)

/** One text for one address, so that two spellings of it are equal. */
const plain = (address: string): string => (ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address)
