/**
 * Bearer secrets: a prefix that names the kind, 43 base62 characters of 256 bits, 6 of a checksum. Scanners can find a
 * leaked token, a mistyped one costs no query, and one kind is never accepted as another.
 */
import { sha256Hex } from "../canonical/digest.ts"

export const tokenPrefixes = {
  /** An agent's credential. */
  agent: "dda_",
  /** A participation assistant's credential (5.7). */
  participation: "dpa_",
  /** Polls an agent's connection. */
  device: "ddc_",
  /** A person's session, in its cookie. */
  session: "dds_",
  /** The code of an invitation. */
  invitation: "ddi_",
  /** Signs the webhook requests of a subscription. */
  callback: "ddw_"
} as const
export type TokenKind = keyof typeof tokenPrefixes

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The token of 32 secret bytes given in hexadecimal. */
export const tokenFrom = (kind: TokenKind, secret: string): string => {
  const body = tokenPrefixes[kind] + base62(BigInt(`0x${secret}`), 43)
  return body + checksum(body)
}

/** True for a well-formed token of this kind with a correct checksum. */
export const isToken = (kind: TokenKind, value: string): boolean =>
  value.startsWith(tokenPrefixes[kind]) && form.test(value) && checksum(value.slice(0, -6)) === value.slice(-6)

/** The stored hash of a token. */
export const tokenHash = (token: string): string => sha256Hex(token)

const prefixes = Object.values(tokenPrefixes).join("|")
const form = new RegExp(`^(?:${prefixes})[0-9A-Za-z]{49}$`)

/** The first 32 bits of a digest: enough to detect a typing error, not a secret. */
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
