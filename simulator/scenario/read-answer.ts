/** Reads the answer of the service as its client does: JSON, a text, or the files of a ZIP file. */
import { Effect } from "effect"
import type { HttpClientResponse } from "effect/http"
import { unzipSync } from "fflate"
import { sha256Hex } from "../../src/canonical/digest.ts"
import type { Json } from "../vocabulary/json.ts"

export interface Response {
  readonly status: number
  /** Undefined for an empty body; a string if it is not JSON; the files, size and digest of a ZIP file. */
  readonly body: Json | undefined
  /** The raw body. */
  readonly bytes: Uint8Array
  readonly headers: { readonly [name: string]: string }
}

export const readAnswer = (answer: HttpClientResponse.HttpClientResponse) =>
  Effect.map(answer.arrayBuffer, (buffer): Response => {
    const bytes = new Uint8Array(buffer)
    const { status, headers } = answer
    return { status, body: contentOf(bytes, headers["content-type"]), bytes, headers }
  })

const contentOf = (bytes: Uint8Array, type: string | undefined): Json | undefined => {
  if (bytes.length === 0) return undefined
  return type === "application/zip" ? zipContent(bytes) : jsonOrText(bytes)
}

const zipContent = (bytes: Uint8Array): Json => ({
  files: Object.entries(unzipSync(bytes)).map(([name, content]) => ({ name, content: jsonOrText(content) })),
  size: bytes.length,
  sha256: sha256Hex(bytes)
})

const jsonOrText = (bytes: Uint8Array): Json => {
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
