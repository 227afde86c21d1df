/** Reads a real request as a script would say it: bounded, as text, with the headers that mean something to the service. */
import type { IncomingMessage } from "node:http"
import { limits } from "../../src/vocabulary/limits.ts"

export interface Incoming {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** Undefined where nothing was sent. */
  readonly text: string | undefined
}

/** Not even a script can hold it. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

/** The largest body that any operation takes. */
export const bodyBytesMax = Math.max(limits.bodyBytes, limits.signedInFormBytes)

/** What the service looks at; what else came with a request changes nothing. */
const telling = ["authorization", "content-type", "cookie", "if-none-match", "origin", "sec-fetch-site"]

/** A body that is too large is not kept: that it was declared as large is all that the service looks at. */
export const readIncoming = async (request: IncomingMessage, path: string): Promise<Incoming> => {
  const { method = "GET" } = request
  if (!methods.has(method)) throw new Unreadable(`a script has no word for the method ${method}`)
  const headers = telling.flatMap((name): ReadonlyArray<readonly [string, string]> => {
    const value = request.headers[name]
    return typeof value === "string" ? [[name, value]] : []
  })
  const { bytes, size } = await readBody(request)
  const told = { method, path: path.replaceAll("${", "$%7B"), headers: Object.fromEntries(headers) }
  if (bytes === undefined)
    return { ...told, headers: { ...told.headers, "content-length": String(size) }, text: undefined }
  return { ...told, text: bytes.length === 0 ? undefined : decode(bytes) }
}

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])

/** Without bytes as soon as it is known that there are more than anybody takes; the rest is read by nobody. */
export const readBody = async (
  request: IncomingMessage,
  bytesMax: number = bodyBytesMax
): Promise<{ readonly bytes: Buffer | undefined; readonly size: number }> => {
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > bytesMax) return { bytes: undefined, size: declared }
  const chunks: Array<Buffer> = []
  let size = 0
  // Its sender is answered on the same connection, which therefore stays.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > bytesMax) return { bytes: undefined, size: bytesMax + 1 }
    chunks.push(chunk as Buffer)
  }
  return { bytes: Buffer.concat(chunks), size }
}

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Unreadable("a script holds texts only, and the body is none")
  }
}
