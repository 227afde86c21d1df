/** Validates webhook targets (spec 6.2): canonical HTTPS URLs with a public host name on port 443. */
import { Result } from "effect"
import { limits } from "../vocabulary/limits.ts"

/**
 * The normalized target, or a sentence that names the violated rule. `ownOrigins` are the origins of this installation.
 * The addresses that the name resolves to are checked at each attempt, by `addresses.ts`.
 */
export const readTarget = (text: string, ownOrigins: ReadonlyArray<string>): Result.Result<string, string> => {
  if (text.length > limits.targetCharacters) return Result.fail(tooLong)
  // A URL parser drops tabs and line ends, trims blanks, turns backslashes round and maps other letters onto ASCII.
  if (!/^[!-[\]-~]*$/.test(text)) return Result.fail(invalidCharacters)
  const parts = /^https:\/\/([^/?#]*)([^#]*)(#?)/i.exec(text)
  if (parts === null) return Result.fail("A target begins with https://.")
  const [, authority = "", , fragment] = parts
  if (fragment === "#") return Result.fail("A target has no fragment.")
  if (authority.includes("@")) return Result.fail("A target has no user name and no password.")
  const [, port] = /:([^:\]]*)$/.exec(authority) ?? []
  if (port !== undefined && port !== "443") return Result.fail("A target is on port 443.")
  const host = (port === undefined ? authority : authority.slice(0, -":443".length)).toLowerCase()
  const fault = hostFault(host, ownOrigins)
  if (fault !== undefined) return Result.fail(fault)
  const url = URL.parse(text)
  // The HTTP client uses the URL parser: both readings must agree.
  if (url === null || url.hostname !== host || url.port !== "") return Result.fail(invalidName)
  return url.href.length > limits.targetCharacters ? Result.fail(tooLong) : Result.succeed(url.href)
}

const tooLong = `A target has at most ${limits.targetCharacters} characters.`

const invalidCharacters =
  "A target has visible ASCII characters only, and no backslash: write a name of other letters in its xn-- form."

const invalidName = "The host of a target is a DNS name, written without percent signs and without a dot at its end."

const hostFault = (host: string, ownOrigins: ReadonlyArray<string>): string | undefined => {
  const labels = host.split(".")
  const [last = ""] = labels.slice(-1)
  // No top-level domain ends in a digit, except xn-- ones: a URL parser reads any such host as an address.
  if (host.startsWith("[") || /^(\d+|0x[0-9a-f]*)$/.test(last)) {
    return "The host of a target is a name, not an address."
  }
  if (host.length > nameCharacters || !labels.every((label) => nameLabel.test(label))) return invalidName
  if (labels.length === 1 || !topLevel.test(last) || localDomains.has(last)) {
    return "The host of a target is a name in the public DNS."
  }
  if (ownOrigins.some((origin) => URL.parse(origin)?.hostname === host)) {
    return "A target must not be this service itself."
  }
  return undefined
}

/** RFC 1035, section 2.3.4: the length of a name as text, without the trailing dot. */
const nameCharacters = 253

/** Letters, digits and hyphens inside: RFC 1123, section 2.1. */
const nameLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const topLevel = /^([a-z]{2,}|xn--[a-z0-9-]+)$/

/**
 * Top labels that do not resolve publicly: IANA's special-use domain names (RFC 6761, 6762, 7686, 8375, 9476; all of
 * `arpa`), those that ICANN reserves (`internal`, `home`, `corp`, `mail`), and labels common in private networks.
 */
const localDomains = new Set(
  [
    "alt arpa example invalid local localhost onion test",
    "corp home internal mail",
    "domain intra intranet lan localdomain private workgroup"
  ].flatMap((labels) => labels.split(" "))
)
