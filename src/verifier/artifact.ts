/** Reading the artifact's file: what kind it is, and the parts that are to be verified. */
import { readJson, type Json } from "../canonical/json.ts"
import { readJws } from "../canonical/jws.ts"
import { fit } from "./forms.ts"
import { fail, pass, type Finding } from "./ledger.ts"
import { resultReview, schemas } from "./shapes.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** The bytes of a file as one strict document: JSON, or the text of a compact JWS. */
export type Document = { readonly form: "json"; readonly json: Json } | { readonly form: "jws"; readonly jws: string }

export interface Artifact {
  readonly kind: "result-review" | "result-package" | "result-record"
  /** The compact JWS of the package, or of a record that stands alone. */
  readonly signed: string
  /** Keys that travelled with the artifact; compared, never used. */
  readonly bundle?: Json
  /** The status that travelled with the artifact: anything, until it is proven. */
  readonly status?: Json
}

/** A file of base64url characters and dots that begins with a letter is a JWS; everything else must be JSON. */
export const readDocument = (bytes: Uint8Array): Finding<Document> =>
  readBounded(bytes, verifierLimits.artifactBytesMax)

export const readBounded = (bytes: Uint8Array, bytesMax: number): Finding<Document> => {
  if (bytes.length > bytesMax) return fail("LIMIT_SIZE", { expected: bytesMax, actual: bytes.length })
  if (bytes[0] !== openingBrace) {
    const line = Buffer.from(bytes).toString("latin1")
    if (jwsFile.test(line)) return pass({ form: "jws", jws: line.trimEnd() })
  }
  const reading = readJson(bytes, { bytesMax, refusesNul: true })
  return reading.ok ? pass({ form: "json", json: reading.value }) : fail(reading.code, { at: reading.path })
}

/** The envelope has exactly its members, and its schema says what it is. */
export const readArtifact = (document: Document): Finding<Artifact> => {
  if (document.form === "json") {
    const review = fit(resultReview, document.json)
    if (!review.ok) return review
    const { record, trust, status } = review.value
    return pass({ kind: "result-review", signed: record, bundle: trust, status }, { actual: schemas.review })
  }
  const jws = readJws(document.jws)
  if (!jws.ok) return fail(jws.code)
  const { typ } = jws.header
  if (typ === schemas.package) return pass({ kind: "result-package", signed: document.jws }, { actual: typ })
  if (typ === schemas.record) return pass({ kind: "result-record", signed: document.jws }, { actual: typ })
  return fail("KIND", { at: "header.typ", actual: typ })
}

const openingBrace = 0x7b
const jwsFile = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)+\r?\n?$/
