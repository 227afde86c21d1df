/** What probes read of an exported file. */
import { type Json, type JsonObject, valueAt } from "../../vocabulary/json.ts"

/** Why the report of the verifier refutes a file, in words; undefined if it does not. */
export const refutedBy = (report: JsonObject): string | undefined => {
  const { verdict = null } = report
  if (verdict !== "VERIFIED_WITH_LIMITATIONS") return `is ${String(verdict)}`
  return valueAt(report, "currentStatus.outcome") === "FAILED" ? "has a status that does not hold" : undefined
}

/** The text with the decoded payloads of all embedded JWS. */
export const decodedText = (body: Json): string => {
  const parts = [typeof body === "string" ? body : JSON.stringify(body)]
  for (const part of parts) {
    for (const [, payload = ""] of part.matchAll(compact))
      parts.push(Buffer.from(payload, "base64url").toString("utf8"))
  }
  return parts.join("\n")
}

const compact = /\b[\w-]{10,}\.([\w-]{4,})\.[\w-]{10,}/g
