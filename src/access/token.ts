/**
 * Agent tokens: `dda_`, 43 base62 characters of 256 bits, 6 of a checksum. Scanners can find a leaked one, and a
 * mistyped one costs no query.
 */
import { sha256Hex } from "../canonical/digest.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const prefix = "dda_"
const form = /^dda_[0-9A-Za-z]{49}$/

/** The token of 32 secret bytes given in hexadecimal. */
export const tokenFrom = (secret: string): string => {
  const body = prefix + base62(BigInt(`0x${secret}`), 43)
  return body + checksum(body)
}

export const isToken = (value: string): boolean => form.test(value) && checksum(value.slice(0, -6)) === value.slice(-6)

/** What is stored of a token. */
export const tokenHash = (token: string): string => sha256Hex(token)

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
