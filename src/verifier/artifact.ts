/** Parses the artifact's file: its kind, and the parts to verify. */
import type { Json } from "../canonical/json.ts"
import { readJws } from "../canonical/jws.ts"
import { type Document, statusIn } from "./document.ts"
import { closureDocument } from "./closure-shapes.ts"
import { closureV1Document, closureV1Name } from "./closure-v1.ts"
import { validate, isObject } from "./schema-kit.ts"
import { andThen, fail, pass, type Finding } from "./ledger.ts"
import {
  commerceFile,
  type CommerceFile,
  commerceStatusFile,
  passportFile,
  type PassportFile,
  portableNames
} from "./portable-shapes.ts"
import { resultReview, schemaNames, standardRecord } from "./schemas.ts"
import { checkCanonicalSize, type SignedDocument } from "./signed-document.ts"

export interface Artifact {
  readonly kind:
    | "result-review"
    | "result-package"
    | "standard-record"
    | "result-record"
    | "agent-status"
    | "result-passport"
    | "commerce-record"
    | "commerce-status"
    | "transaction-closure"
    | "transaction-closure-v1"
  /**
   * The compact JWS of the package, of a record or status without a package, of a passport's manifest or of a payment; of a
   * closure, its signature.
   */
  readonly signed: string
  /** The expected schema of its payload. */
  readonly schema: string
  /** Keys enclosed in the artifact; compared, never used. */
  readonly bundle?: Json
  /** The enclosed status: any value, until it is verified. */
  readonly status?: Json
  readonly passport?: PassportFile
  readonly commerce?: CommerceFile
  readonly closure?: SignedDocument
  readonly closureV1?: SignedDocument
}

/** The envelope has exactly its members, and its schema determines the kind. */
export const readArtifact = (document: Document): Finding<Artifact> => {
  if (document.form === "jws") return readSigned(document.jws)
  const { json } = document
  const status = statusIn(json)
  if (status !== undefined)
    return pass({ kind: "agent-status", signed: status, schema: schemaNames.status }, schemaNames.status)
  const named = isObject(json) && Object.hasOwn(json, "schema") ? json["schema"] : undefined
  if (named === portableNames.passport) return readPassport(json, document.bytes)
  if (named === portableNames.commerceRecord) return readCommerceRecord(json)
  if (named === portableNames.commerceStatus) return readCommerceStatus(json)
  if (named === portableNames.closure) return readClosure(json, document.bytes)
  if (named === closureV1Name) return readClosureV1(json, document.bytes)
  if (named === schemaNames.standardRecord) {
    const standard = validate(standardRecord, json)
    if (!standard.ok) return standard
    return pass(
      { kind: "standard-record", signed: standard.value.record, schema: schemaNames.record },
      schemaNames.standardRecord
    )
  }
  const review = validate(resultReview, json)
  if (!review.ok) return review
  const { record, trust, status: enclosed } = review.value
  const schema = isFirstVersion(record) ? schemaNames.packageV1 : schemaNames.package
  return pass({ kind: "result-review", signed: record, schema, bundle: trust, status: enclosed }, schemaNames.review)
}

const readPassport = (json: Json, fileBytes: number): Finding<Artifact> => {
  const file = validate(passportFile, json)
  if (!file.ok) return file
  const schema = portableNames.passport
  const excess = checkCanonicalSize(json, fileBytes)
  if (excess !== undefined) return excess
  return pass({ kind: "result-passport", signed: file.value.manifest, schema, passport: file.value }, schema)
}

const readCommerceRecord = (json: Json): Finding<Artifact> => {
  const schema = portableNames.commerceRecord
  return andThen(validate(commerceFile, json), (commerce) =>
    pass({ kind: "commerce-record", signed: commerce.record, schema, commerce }, schema)
  )
}

const readCommerceStatus = (json: Json): Finding<Artifact> => {
  const schema = portableNames.commerceStatus
  return andThen(validate(commerceStatusFile, json), ({ status }) =>
    pass({ kind: "commerce-status", signed: status, schema }, schema)
  )
}

const readClosure = (json: Json, fileBytes: number): Finding<Artifact> => {
  const schema = portableNames.closure
  return andThen(
    validate(closureDocument, json),
    (closure) =>
      checkCanonicalSize(json, fileBytes) ??
      pass({ kind: "transaction-closure", signed: closure.signature, schema, closure }, schema)
  )
}

const readClosureV1 = (json: Json, fileBytes: number): Finding<Artifact> => {
  const schema = closureV1Name
  return andThen(
    validate(closureV1Document, json),
    (closureV1) =>
      checkCanonicalSize(json, fileBytes) ??
      pass({ kind: "transaction-closure-v1", signed: closureV1.signature, schema, closureV1 }, schema)
  )
}

/** Decided by the end of the header, its `typ`; the check of the signature validates the header. */
const isFirstVersion = (jws: string): boolean =>
  Buffer.from(jws.slice(0, jws.indexOf(".")), "base64url")
    .toString("latin1")
    .endsWith(`"typ":"${schemaNames.packageV1}"}`)

const readSigned = (signed: string): Finding<Artifact> => {
  const jws = readJws(signed)
  if (!jws.ok) return fail(jws.code)
  const { typ: schema } = jws.header
  const kind = kinds.get(schema)
  return kind === undefined ? fail("KIND", "header.typ", "KNOWN_KIND", schema) : pass({ kind, signed, schema }, schema)
}

const kinds: ReadonlyMap<string, Artifact["kind"]> = new Map([
  [schemaNames.package, "result-package"],
  [schemaNames.packageV1, "result-package"],
  [schemaNames.record, "result-record"],
  [schemaNames.status, "agent-status"]
])
