/** `application/x-www-form-urlencoded` as browsers write it, and nothing looser. */
import { limits } from "../vocabulary/limits.ts"

export type Fields = { readonly [name: string]: string | ReadonlyArray<string> }

/** A name that came more than once has a list. Undefined for anything that a browser would not have sent. */
export const readUrlEncoded = (bytes: Uint8Array): Fields | undefined => {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  const pairs = text === "" ? [] : text.split("&", limits.formFields + 1)
  if (pairs.length > limits.formFields) return undefined
  // Without a prototype, so that no name of a field is one of an object's own.
  const fields: { [name: string]: string | ReadonlyArray<string> } = Object.create(null)
  for (const pair of pairs) {
    const place = pair.indexOf("=")
    const name = place === -1 ? undefined : decode(pair.slice(0, place))
    const value = decode(pair.slice(place + 1))
    if (name === undefined || name === "" || value === undefined) return undefined
    const earlier = fields[name]
    fields[name] = earlier === undefined ? value : typeof earlier === "string" ? [earlier, value] : [...earlier, value]
  }
  return fields
}

/** Line breaks come as CR LF from every browser, and are kept as LF. A NUL no storage can hold. */
const decode = (part: string): string | undefined => {
  if (!form.test(part)) return undefined
  const bytes = new Uint8Array(part.length)
  let length = 0
  for (let place = 0; place < part.length; place++) {
    const isEscape = part[place] === "%"
    bytes[length++] = isEscape
      ? Number.parseInt(part.slice(place + 1, place + 3), 16)
      : part[place] === "+"
        ? 0x20
        : part.charCodeAt(place)
    if (isEscape) place += 2
  }
  const text = decodeUtf8(bytes.subarray(0, length))
  return text === undefined || text.includes("\0") ? undefined : text.replaceAll("\r\n", "\n")
}

const form = /^(?:[!-$&-~]|%[0-9A-Fa-f]{2})*$/

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
