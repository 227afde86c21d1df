/** A strict parser for `application/x-www-form-urlencoded`, as browsers write it. */
import { limits } from "../../vocabulary/limits.ts"

export type Fields = { readonly [name: string]: string | ReadonlyArray<string> }

/** Repeated names become lists. Undefined for input that a browser would not produce. */
export const readUrlEncoded = (bytes: Uint8Array): Fields | undefined => {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  const pairs = text === "" ? [] : text.split("&", limits.formFields + 1)
  if (pairs.length > limits.formFields) return undefined
  const decoded: Array<readonly [name: string, value: string]> = []
  for (const pair of pairs) {
    const index = pair.indexOf("=")
    const name = index === -1 ? undefined : decode(pair.slice(0, index))
    const value = decode(pair.slice(index + 1))
    if (name === undefined || name === "" || value === undefined) return undefined
    decoded.push([name, value])
  }
  return fieldsOf(decoded)
}

export const fieldsOf = (pairs: ReadonlyArray<readonly [name: string, value: string]>): Fields => {
  // Without a prototype, so that field names cannot collide with inherited members.
  const fields: { [name: string]: string | ReadonlyArray<string> } = Object.create(null)
  for (const [name, value] of pairs) {
    const earlier = fields[name]
    fields[name] = earlier === undefined ? value : typeof earlier === "string" ? [earlier, value] : [...earlier, value]
  }
  return fields
}

/** The text of a field. Browsers send line breaks as CR LF; they become LF. Undefined with NUL, which storage cannot hold. */
export const fieldText = (bytes: Uint8Array): string | undefined => {
  const text = decodeUtf8(bytes)
  return text === undefined || text.includes("\0") ? undefined : text.replaceAll("\r\n", "\n")
}

const decode = (part: string): string | undefined => {
  if (!form.test(part)) return undefined
  const bytes = new Uint8Array(part.length)
  let length = 0
  for (let index = 0; index < part.length; index++) {
    const isEscape = part[index] === "%"
    bytes[length++] = isEscape
      ? Number.parseInt(part.slice(index + 1, index + 3), 16)
      : part[index] === "+"
        ? 0x20
        : part.charCodeAt(index)
    if (isEscape) index += 2
  }
  return fieldText(bytes.subarray(0, length))
}

const form = /^(?:[!-$&-~]|%[0-9A-Fa-f]{2})*$/

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
