/** Parses a file as one strict document. */
import { type Json, readJson } from "../canonical/json.ts"
import { isObject } from "./schema-kit.ts"
import { fail, type Finding, pass } from "./ledger.ts"
import { printablePath } from "./printable.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** JSON, or the text of a compact JWS. */
export type Document =
  | { readonly form: "json"; readonly json: Json; readonly bytes: number }
  | { readonly form: "jws"; readonly jws: string }

/** A file of base64url characters and dots that begins with a letter is a JWS; everything else must be JSON. */
export const readDocument = (bytes: Uint8Array, bytesMax: number): Finding<Document> => {
  if (bytes.length > bytesMax) return fail("LIMIT_SIZE", "", bytesMax, bytes.length)
  if (bytes[0] !== openingBrace) {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
    if (jwsFile.test(line) && line.includes(".")) return pass({ form: "jws", jws: line.trimEnd() })
  }
  const { valuesMax } = verifierLimits
  const reading = readJson(bytes, { bytesMax, valuesMax, refusesNul: true })
  return reading.ok
    ? pass({ form: "json", json: reading.value, bytes: bytes.length })
    : fail(reading.code, printablePath(reading.path))
}

/** The status in the service's response `{status}` to a status request. */
export const statusIn = (json: Json): string | undefined => {
  const status = isObject(json) && Object.keys(json).join() === "status" ? json["status"] : undefined
  return typeof status === "string" ? status : undefined
}

const openingBrace = 0x7b
const jwsFile = /^[A-Za-z][\w.-]*\r?\n?$/
