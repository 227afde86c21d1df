/** What the verifier calls of Node's `Buffer`, for browsers: conversions between bytes and texts. */

type Encoding = "utf8" | "latin1" | "hex" | "base64" | "base64url"

class Bytes extends Uint8Array<ArrayBuffer> {
  override toString(encoding: Encoding = "utf8"): string {
    switch (encoding) {
      case "utf8":
        return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this)
      case "latin1":
        return latin1Of(this)
      case "hex":
        return [...this].map((byte) => byte.toString(16).padStart(2, "0")).join("")
      case "base64":
        return btoa(latin1Of(this))
      case "base64url":
        return btoa(latin1Of(this)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
    }
  }
}

export const Buffer = {
  /** The bytes of a text, a copy of bytes, or a view of a part of an `ArrayBuffer`. */
  from: (
    value: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
    encodingOrOffset: Encoding | number = "utf8",
    length?: number
  ): Bytes => {
    if (typeof value === "string") return asBytes(bytesOf(value, encodingOrOffset as Encoding))
    if (value instanceof Uint8Array) return asBytes(value.slice())
    return new Bytes(value, encodingOrOffset as number, length)
  },

  concat: (parts: ReadonlyArray<Uint8Array>): Bytes => Bytes.from(parts.flatMap((part) => [...part])) as Bytes,

  /** The length of a text in UTF-8. */
  byteLength: (text: string): number => new TextEncoder().encode(text).length
}

const asBytes = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Bytes =>
  new Bytes(buffer, byteOffset, length)

const bytesOf = (text: string, encoding: Encoding): Uint8Array<ArrayBuffer> => {
  switch (encoding) {
    case "utf8":
      return new TextEncoder().encode(text)
    case "hex":
      return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    case "base64":
    case "base64url":
      return base64Bytes(text)
    case "latin1":
      return latin1Bytes(text)
  }
}

/** Both alphabets, as Node reads them: other characters are skipped, and a single one at the end is dropped. */
const base64Bytes = (text: string): Uint8Array<ArrayBuffer> => {
  const digits = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replaceAll(/[^A-Za-z0-9+/]/g, "")
  return latin1Bytes(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits))
}

const latin1Bytes = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

/** In pieces: a call has a limited number of arguments. */
const latin1Of = (bytes: Uint8Array): string => {
  let text = ""
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    text += String.fromCharCode(...bytes.subarray(from, from + pieceBytes))
  }
  return text
}

const pieceBytes = 32_768
