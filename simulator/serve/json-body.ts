/** The body of a control API request: unambiguous JSON, or none. */
import type { IncomingMessage } from "node:http"
import { jsonErrorMessages, printPath } from "../../src/canonical/json-error-messages.ts"
import { readJson, type Json } from "../../src/canonical/json.ts"
import { readBody } from "./incoming-request.ts"
import { ControlRefusal } from "./control-refusals.ts"

/** Requires `application/json`, which a cross-site form cannot send. */
export const jsonBody = async (request: IncomingMessage): Promise<Json | undefined> => {
  const { bytes } = await readBody(request, bytesMax)
  if (bytes === undefined) throw new ControlRefusal("TOO_LARGE", `Limit of the body: ${bytesMax} bytes.`)
  const type = request.headers["content-type"]
  const isJson = /^application\/json\s*(;|$)/i.test(type ?? "")
  if (!isJson && (bytes.length > 0 || type !== undefined)) {
    throw new ControlRefusal("UNSUPPORTED_TYPE", "The content type must be application/json.")
  }
  if (bytes.length === 0) return undefined
  const read = readJson(bytes, { bytesMax })
  if (read.ok) return read.value
  throw new ControlRefusal("INVALID_REQUEST", `${printPath(read.path)}: ${jsonErrorMessages[read.fault]}`)
}

const bytesMax = 4_000_000
