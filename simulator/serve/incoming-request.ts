/** Reads an HTTP request in the form of a script: with a bounded body, as text, and the headers that the service reads. */
import type { IncomingMessage } from "node:http"
import { limits } from "../../src/vocabulary/limits.ts"

export interface IncomingRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** Undefined without a body. */
  readonly text: string | undefined
}

/** A request that a script cannot express. */
export class InexpressibleRequest extends Error {
  override readonly name = "Unreadable"
}

/** The largest body that any operation accepts. */
export const bodyBytesMax = Math.max(limits.bodyBytes, limits.signedInFormBytes)

/** The headers that the service reads. */
const headerNames = ["authorization", "content-type", "cookie", "if-none-match", "origin", "sec-fetch-site"]

/** A body above the limit is discarded: the service reads only its declared length. */
export const readIncoming = async (request: IncomingMessage, path: string): Promise<IncomingRequest> => {
  const { method = "GET" } = request
  if (!methods.has(method)) throw new InexpressibleRequest(`unsupported method ${method}`)
  const headers = headerNames.flatMap((name): ReadonlyArray<readonly [string, string]> => {
    const value = request.headers[name]
    return typeof value === "string" ? [[name, value]] : []
  })
  const { bytes, size } = await readBody(request)
  const incoming = { method, path: path.replaceAll("${", "$%7B"), headers: Object.fromEntries(headers) }
  if (bytes === undefined)
    return { ...incoming, headers: { ...incoming.headers, "content-length": String(size) }, text: undefined }
  return { ...incoming, text: bytes.length === 0 ? undefined : decode(bytes) }
}

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])

/** Without bytes as soon as the size exceeds the limit; the rest is not read. */
export const readBody = async (
  request: IncomingMessage,
  bytesMax: number = bodyBytesMax
): Promise<{ readonly bytes: Buffer | undefined; readonly size: number }> => {
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > bytesMax) return { bytes: undefined, size: declared }
  const chunks: Array<Buffer> = []
  let size = 0
  // The answer uses the same connection, so it must stay open.
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
    throw new InexpressibleRequest("the body is not valid UTF-8")
  }
}
