/** base64url without padding (RFC 4648, section 5), in its only spelling. */

export const toBase64url = (bytes: Uint8Array | string): string =>
  (typeof bytes === "string" ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).toString(
    "base64url"
  )

/**
 * Undefined unless the text is the one base64url spelling of its bytes. The decoder itself passes over characters that
 * are none of base64url; encoding what it found gives the text back only where there were none.
 */
export const fromBase64url = (text: string): Uint8Array | undefined => {
  if (text === "") return undefined
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === text ? bytes : undefined
}
