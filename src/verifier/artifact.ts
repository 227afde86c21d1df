/** Reading the artifact's file: what kind it is, and the parts that are to be verified. */
import type { Json } from "../canonical/json.ts"
import { readJws } from "../canonical/jws.ts"
import { type Document, statusIn } from "./document.ts"
import { fit, isObject } from "./forms.ts"
import { fail, pass, type Finding } from "./ledger.ts"
import { resultReview, schemas, standardRecord } from "./shapes.ts"

export interface Artifact {
  readonly kind: "result-review" | "result-package" | "standard-record" | "result-record" | "agent-status"
  /** The compact JWS of the package, of a record that stands alone, or of a status that does. */
  readonly signed: string
  /** What it must be: the schema of its payload. */
  readonly schema: string
  /** Keys that travelled with the artifact; compared, never used. */
  readonly bundle?: Json
  /** The status that travelled with the artifact: anything, until it is proven. */
  readonly status?: Json
}

/** The envelope has exactly its members, and its schema says what it is. */
export const readArtifact = (document: Document): Finding<Artifact> => {
  if (document.form === "jws") return readSigned(document.jws)
  const { json } = document
  const status = statusIn(json)
  if (status !== undefined)
    return pass({ kind: "agent-status", signed: status, schema: schemas.status }, schemas.status)
  if (isObject(json) && Object.hasOwn(json, "schema") && json["schema"] === schemas.standardRecord) {
    const standard = fit(standardRecord, json)
    if (!standard.ok) return standard
    return pass(
      { kind: "standard-record", signed: standard.value.record, schema: schemas.record },
      schemas.standardRecord
    )
  }
  const review = fit(resultReview, json)
  if (!review.ok) return review
  const { record, trust, status: carried } = review.value
  const schema = isFirstVersion(record) ? schemas.packageV1 : schemas.package
  return pass({ kind: "result-review", signed: record, schema, bundle: trust, status: carried }, schemas.review)
}

/** By its header alone, which ends with its `typ`; whether it is a header at all is for its signature's check to say. */
const isFirstVersion = (jws: string): boolean =>
  Buffer.from(jws.slice(0, jws.indexOf(".")), "base64url")
    .toString("latin1")
    .endsWith(`"typ":"${schemas.packageV1}"}`)

const readSigned = (signed: string): Finding<Artifact> => {
  const jws = readJws(signed)
  if (!jws.ok) return fail(jws.code)
  const { typ: schema } = jws.header
  const kind = kinds.get(schema)
  return kind === undefined ? fail("KIND", "header.typ", "KNOWN_KIND", schema) : pass({ kind, signed, schema }, schema)
}

const kinds: ReadonlyMap<string, Artifact["kind"]> = new Map([
  [schemas.package, "result-package"],
  [schemas.packageV1, "result-package"],
  [schemas.record, "result-record"],
  [schemas.status, "agent-status"]
])
