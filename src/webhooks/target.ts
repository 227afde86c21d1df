/** Where callbacks may be sent (spec 6.2): one spelling of an HTTPS address with a public host name on port 443. */
import { Result } from "effect"
import { limits } from "../vocabulary/limits.ts"

/**
 * The target as it is stored and shown, or a sentence on what is wrong with the text. `ownOrigins` are those of this
 * installation. What the name leads to is judged again at each attempt, by `addresses.ts`.
 */
export const readTarget = (text: string, ownOrigins: ReadonlyArray<string>): Result.Result<string, string> => {
  if (text.length > limits.targetCharacters) return Result.fail(tooLong)
  // A URL parser drops tabs and line ends, trims blanks, turns backslashes round and maps other letters onto ASCII.
  if (!/^[!-[\]-~]*$/.test(text)) return Result.fail(otherCharacters)
  const parts = /^https:\/\/([^/?#]*)([^#]*)(#?)/i.exec(text)
  if (parts === null) return Result.fail("A target begins with https://.")
  const [, authority = "", , fragment] = parts
  if (fragment === "#") return Result.fail("A target has no fragment.")
  if (authority.includes("@")) return Result.fail("A target has no user name and no password.")
  const [, port] = /:([^:\]]*)$/.exec(authority) ?? []
  if (port !== undefined && port !== "443") return Result.fail("A target is on port 443.")
  const host = (port === undefined ? authority : authority.slice(0, -":443".length)).toLowerCase()
  const wrong = wrongWithHost(host, ownOrigins)
  if (wrong !== undefined) return Result.fail(wrong)
  const url = URL.parse(text)
  // Whoever connects reads it by the parser: both must mean the same.
  if (url === null || url.hostname !== host || url.port !== "") return Result.fail(notAName)
  return url.href.length > limits.targetCharacters ? Result.fail(tooLong) : Result.succeed(url.href)
}

const tooLong = `A target has at most ${limits.targetCharacters} characters.`

const otherCharacters =
  "A target has visible ASCII characters only, and no backslash: write a name of other letters in its xn-- form."

const notAName = "The host of a target is a DNS name, written without percent signs and without a dot at its end."

const wrongWithHost = (host: string, ownOrigins: ReadonlyArray<string>): string | undefined => {
  const labels = host.split(".")
  const [last = ""] = labels.slice(-1)
  // No top-level domain has a digit, besides those with xn--: whatever else ends in one, a parser reads as an address.
  if (host.startsWith("[") || /^(\d+|0x[0-9a-f]*)$/.test(last)) {
    return "The host of a target is a name, not an address."
  }
  if (host.length > nameCharacters || !labels.every((label) => labelOfName.test(label))) return notAName
  if (labels.length === 1 || !topLevel.test(last) || localDomains.has(last)) {
    return "The host of a target is a name in the public DNS."
  }
  if (ownOrigins.some((origin) => URL.parse(origin)?.hostname === host)) {
    return "A target is not this service itself."
  }
  return undefined
}

/** RFC 1035, section 2.3.4, as text without the dot at the end. */
const nameCharacters = 253

/** Letters, digits and hyphens inside: RFC 1123, section 2.1. */
const labelOfName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const topLevel = /^([a-z]{2,}|xn--[a-z0-9-]+)$/

/**
 * Last labels that lead nowhere or into somebody's own network: IANA's special-use domain names (RFC 6761, 6762, 7686,
 * 8375, 9476; `arpa` whole), those that ICANN keeps out of the root (`internal`, `home`, `corp`, `mail`), and what
 * routers and offices make up.
 */
const localDomains = new Set(
  [
    "alt arpa example invalid local localhost onion test",
    "corp home internal mail",
    "domain intra intranet lan localdomain private workgroup"
  ].flatMap((labels) => labels.split(" "))
)
