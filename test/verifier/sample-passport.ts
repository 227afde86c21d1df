/**
 * An issuer of Result Passports that shares no code with the service or the verifier: it builds a valid passport as
 * docs/portable-records.md specifies, and lets a test change any object before it is hashed and signed.
 */
import { trustFile } from "./sample.ts"
import { at, digest, type Members, sha256, signPayload, uuid } from "./signing.ts"

/** Each hook may change its object in place, or return another one. */
export interface PassportForgery {
  /** The number of selected results; two by default. */
  readonly count?: number
  readonly trust?: (file: Members) => unknown
  readonly summary?: (summary: Members, index: number) => unknown
  readonly signSummary?: (summary: Members, index: number) => string
  /** The manifest, before it is signed. */
  readonly manifest?: (manifest: Members) => unknown
  readonly signManifest?: (manifest: Members) => string
  readonly statement?: (statement: Members, index: number) => unknown
  readonly signStatement?: (statement: Members, index: number) => string
  readonly file?: (file: Members) => unknown
}

export interface PassportSample {
  readonly trust: Members
  readonly file: Members
  /** The statements about the publications, in the order of the manifest. */
  readonly statuses: ReadonlyArray<string>
  readonly bytes: (value: unknown) => Uint8Array
}

export const passportIds = {
  subject: `provider_${uuid(60)}`,
  publication: (index: number): string => `pub_${uuid(100 + index)}`,
  result: (index: number): string => `record_${uuid(200 + index)}`
}

export const makePassport = (forgery: PassportForgery = {}): PassportSample => {
  const places = Array.from({ length: forgery.count ?? 2 }, (_, index) => index)
  const summaries = places.map((index) => {
    const payload = change(summaryOf(index), (one) => forgery.summary?.(one, index))
    return { payload, jws: forgery.signSummary?.(payload, index) ?? signPayload("PUBLICATION", payload) }
  })
  const manifest = change(manifestOf(summaries), forgery.manifest)
  const statuses = summaries.map(({ payload }, index) => {
    const statement = change(statementOf(payload), (one) => forgery.statement?.(one, index))
    return forgery.signStatement?.(statement, index) ?? signPayload("STATUS", statement)
  })
  const file = {
    schema: "service.result-passport/v1",
    manifest: forgery.signManifest?.(manifest) ?? signPayload("PUBLICATION", manifest),
    summaries: summaries.map(({ jws }) => jws),
    statuses
  }
  return {
    trust: change(trustFile(["PUBLICATION", "STATUS", "RECORD"]), forgery.trust),
    file: change(file, forgery.file),
    statuses,
    bytes: (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value, null, 2))
  }
}

const change = (value: Members, hook: ((value: Members) => unknown) | undefined): Members =>
  (hook?.(value) as Members | undefined) ?? value

const issuer = { issuer: "Countersign Test", environment: "TEST" }

/** The second result has no named buyer and follows a public specification. */
export const summaryOf = (index: number): Members => ({
  schema: "service.result-summary/v1",
  issuedAt: at(19),
  ...issuer,
  publicationId: passportIds.publication(index),
  subject: { id: passportIds.subject, name: "Supplier Ltd" },
  resultId: passportIds.result(index),
  resultDigest: sha256(`record ${index}`),
  title: `A report in two languages, part ${index + 1}`,
  summary: "Text and table in German and English.",
  buyerName: index % 2 === 0 ? "Buyer GmbH" : null,
  criteriaMet: index + 1,
  specification: index % 2 === 0 ? null : { id: "bilingual-report", version: 2, digest: sha256("specification") },
  completionTime: at(10, index)
})

const manifestOf = (summaries: ReadonlyArray<{ readonly payload: Members; readonly jws: string }>): Members => ({
  schema: "service.result-passport/v1",
  issuedAt: at(20),
  ...issuer,
  subject: { id: passportIds.subject },
  coverage: "SELECTED_RESULTS_NOT_COMPLETE_HISTORY",
  selectedBy: "REQUESTER",
  verificationScope: "SIGNED_PUBLIC_SUMMARIES_ONLY_NOT_ORIGINAL_RESULTS",
  entries: summaries.map(({ payload, jws }) => ({
    resultId: payload["resultId"],
    publicationId: payload["publicationId"],
    publicationDigest: digest(payload),
    completionTime: payload["completionTime"],
    summaryDigest: digest(jws)
  }))
})

export const statementOf = (summary: Members): Members => ({
  schema: "service.publication-status/v1",
  issuedAt: at(20),
  expiresAt: at(25),
  publicationId: summary["publicationId"],
  publicationDigest: digest(summary),
  status: "AVAILABLE"
})
