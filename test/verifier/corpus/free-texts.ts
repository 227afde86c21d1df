/** The free texts in a file: every text with white space or a character beyond ASCII, also inside payloads. */

export const textsIn = (file: Uint8Array): ReadonlySet<string> => new Set(textsOf(Buffer.from(file).toString()))

const textsOf = (text: string): ReadonlyArray<string> => {
  if (jws.test(text)) return textsOf(Buffer.from(text.split(".")[1]!, "base64url").toString())
  try {
    return textsOfValue(JSON.parse(text))
  } catch {
    return []
  }
}

const textsOfValue = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return jws.test(value) ? textsOf(value) : words.test(value) ? [value] : []
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOfValue) : []
}

const jws = /^[\w-]+\.[\w-]+\.[\w-]+\s*$/
const words = /\s|[^\0-\x7f]/
