/** base64url without padding (RFC 4648, section 5); each byte string has exactly one spelling. */

export const toBase64url = (bytes: Uint8Array | string): string =>
  (typeof bytes === "string" ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).toString(
    "base64url"
  )

/** Undefined unless the text is the one base64url spelling of its bytes. */
export const fromBase64url = (text: string): Uint8Array | undefined => {
  if (!alphabet.test(text)) return undefined
  // Only the group at the end can have more than one spelling, or be one character too long.
  const end = text.slice(text.length - (text.length % 4))
  if (Buffer.from(end, "base64url").toString("base64url") !== end) return undefined
  return Buffer.from(text, "base64url")
}

const alphabet = /^[A-Za-z0-9_-]+$/
