/** What is sent to the control API: JSON that any two readers read alike, or nothing. */
import type { IncomingMessage } from "node:http"
import { jsonFaults, printPath } from "../../src/canonical/json-faults.ts"
import { readJson, type Json } from "../../src/canonical/json.ts"
import { readBody } from "./incoming.ts"
import { ControlRefused } from "./refusals.ts"

/** A form of another site is never `application/json`. */
export const jsonBody = async (request: IncomingMessage): Promise<Json | undefined> => {
  const { bytes } = await readBody(request, bytesMax)
  if (bytes === undefined) throw new ControlRefused("TOO_LARGE", `A body has at most ${bytesMax} bytes.`)
  const type = request.headers["content-type"]
  const isJson = /^application\/json\s*(;|$)/i.test(type ?? "")
  if (!isJson && (bytes.length > 0 || type !== undefined)) {
    throw new ControlRefused("UNSUPPORTED_TYPE", "A body is application/json.")
  }
  if (bytes.length === 0) return undefined
  const read = readJson(bytes, { bytesMax })
  if (read.ok) return read.value
  throw new ControlRefused("INVALID_REQUEST", `${printPath(read.path)}: ${jsonFaults[read.fault]}`)
}

const bytesMax = 4_000_000
