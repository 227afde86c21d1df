/**
 * Bearer secrets: a prefix that says what it opens, 43 base62 characters of 256 bits, 6 of a checksum. Scanners can find
 * a leaked one, a mistyped one costs no query, and one kind can never be read as another.
 */
import { sha256Hex } from "../canonical/digest.ts"

export const tokenPrefixes = {
  /** An agent's credential. */
  agent: "dda_",
  /** A participation assistant's credential (5.7). */
  participation: "dpa_",
  /** What an agent polls its connection with. */
  device: "ddc_",
  /** A person's session, in its cookie. */
  session: "dds_",
  /** What a person was sent to join with. */
  invitation: "ddi_",
  /** What callbacks of a subscription are signed with. */
  callback: "ddw_"
} as const
export type TokenKind = keyof typeof tokenPrefixes

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The token of 32 secret bytes given in hexadecimal. */
export const tokenFrom = (kind: TokenKind, secret: string): string => {
  const body = tokenPrefixes[kind] + base62(BigInt(`0x${secret}`), 43)
  return body + checksum(body)
}

/** True for a text that was once made as a token of this kind, and not mistyped since. */
export const isToken = (kind: TokenKind, value: string): boolean =>
  value.startsWith(tokenPrefixes[kind]) && form.test(value) && checksum(value.slice(0, -6)) === value.slice(-6)

/** What is stored of a token. */
export const tokenHash = (token: string): string => sha256Hex(token)

const prefixes = Object.values(tokenPrefixes).join("|")
const form = new RegExp(`^(?:${prefixes})[0-9A-Za-z]{49}$`)

/** The first 32 bits of a digest: enough to tell a typing error, no secret. */
const checksum = (body: string): string => base62(BigInt(`0x${sha256Hex(body).slice(0, 8)}`), 6)

const base62 = (value: bigint, length: number): string => {
  let rest = value
  let text = ""
  for (let place = 0; place < length; place++) {
    text = alphabet[Number(rest % 62n)]! + text
    rest /= 62n
  }
  return text
}
