/**
 * Compares the verdicts of published schema and verifier on the same object. If only one of the two refuses it, the reason
 * must be in a list here; every other difference is a bug in one of them.
 */
import type { Json } from "../../src/canonical/json.ts"
import { readJws } from "../../src/canonical/jws.ts"
import type { FormatName } from "../../src/documents/schemas.ts"
import { readAuthorityPolicy } from "../../src/verifier/authority-policy.ts"
import { closure, closureDocument, resultOrder } from "../../src/verifier/closure-shapes.ts"
import { closureV1, closureV1Document } from "../../src/verifier/closure-v1.ts"
import type { Code } from "../../src/verifier/codes.ts"
import type { Failure, Finding } from "../../src/verifier/ledger.ts"
import { agreementLink, agreementSnapshot, historyReference } from "../../src/verifier/lineage-shapes.ts"
import {
  commerceFile,
  commerceStatus,
  passportFile,
  publicationStatement,
  resultSummary
} from "../../src/verifier/portable-shapes.ts"
import { validate, type Schema } from "../../src/verifier/schema-kit.ts"
import { compactFormOf, type SignedDocument } from "../../src/verifier/signed-document.ts"
import {
  agentStatus,
  authorityEvent,
  historyGap,
  projectEvent,
  resultPackage,
  resultRecord,
  resultReview,
  standardRecord
} from "../../src/verifier/schemas.ts"
import { readTrust } from "../../src/verifier/trust.ts"
import { faultFinderOf, validatorOf } from "../support/published-schemas.ts"

/** The verdict of both, an expected difference with its reasons, or an unexpected difference. */
export type Comparison =
  | { readonly outcome: "TAKEN" | "REFUSED" }
  | { readonly outcome: "EXPLAINED"; readonly reasons: ReadonlyArray<string> }
  | { readonly outcome: "SURPRISE"; readonly what: string }

export const compare = (name: FormatName, value: Json): Comparison => {
  const failure = verifierSays[name](value)
  const isTaken = validatorOf(name)(value)
  if (failure !== undefined && !formCodes.has(failure.code)) return surprise(`the verifier says ${failure.code}`)
  if (isTaken) return failure === undefined ? { outcome: "TAKEN" } : explainVerifier(value, failure)
  if (failure !== undefined) return { outcome: "REFUSED" }
  const findFaults = faultFinderOf(name)
  findFaults(value)
  const reasons = (findFaults.errors ?? []).map(({ instancePath, message }) => {
    const rule = schemaOnly.find((one) => one.in === name && one.at.test(instancePath))
    const holds = rule?.holds?.(valueAt(value, instancePath.split("/").slice(1))) ?? true
    return rule !== undefined && holds ? rule.reason : surprise(`only the schema refuses: ${instancePath} ${message}`)
  })
  const unexplained = reasons.find((reason) => typeof reason === "object")
  return unexplained ?? explained(reasons.filter((reason) => typeof reason === "string"))
}

const surprise = (what: string) => ({ outcome: "SURPRISE", what }) as const
const explained = (reasons: ReadonlyArray<string>) =>
  ({ outcome: "EXPLAINED", reasons: [...new Set(reasons)] }) as const

const validateBy =
  <T>(form: Schema<T>) =>
  (value: Json): Failure | undefined =>
    failureOf(validate(form, value))

/** The verifier checks the file, and its body once the signature is verified. */
const validateDocumentBy =
  (file: Schema<SignedDocument>, body: Schema<unknown>) =>
  (value: Json): Failure | undefined => {
    const document = validate(file, value)
    return document.ok ? failureOf(validate(body, document.value.body, "body")) : document
  }

const readBy =
  (reader: (bytes: Uint8Array) => Finding<unknown>) =>
  (value: Json): Failure | undefined =>
    failureOf(reader(Buffer.from(JSON.stringify(value))))

const failureOf = (finding: Finding<unknown>): Failure | undefined => (finding.ok ? undefined : finding)

const verifierSays: { readonly [Name in FormatName]: (value: Json) => Failure | undefined } = {
  "service-result-package-v2": validateBy(resultPackage),
  "service-result-review-v1": validateBy(resultReview),
  "service-result-record-v1": validateBy(resultRecord),
  "service-project-event-v1": validateBy(projectEvent),
  "service-history-gap-v1": validateBy(historyGap),
  "service-authority-event-v1": validateBy(authorityEvent),
  "service-agent-status-v1": validateBy(agentStatus),
  "service-standard-record-v1": validateBy(standardRecord),
  "service-issuer-keys-v1": readBy(readTrust),
  "service-authority-policy-v1": readBy(readAuthorityPolicy),
  "service-result-passport-v1": validateBy(passportFile),
  "service-result-summary-v1": validateBy(resultSummary),
  "service-publication-status-v1": validateBy(publicationStatement),
  "service-commerce-record-v1": validateBy(commerceFile),
  "service-commerce-status-v1": validateBy(commerceStatus),
  "service-result-order-v1": validateBy(resultOrder),
  "service-transaction-closure-package-v2": validateDocumentBy(closureDocument, closure),
  "service-history-reference-v1": validateBy(historyReference),
  "service-agreement-link-v1": validateBy(agreementLink),
  "service-agreement-snapshot-v1": validateBy(agreementSnapshot),
  "transaction-closure-package-v1": validateDocumentBy(closureV1Document, closureV1)
}

const formCodes: ReadonlySet<Code> = new Set<Code>([
  "UNKNOWN_MEMBER",
  "MISSING_MEMBER",
  "FIELD_TYPE",
  "DIGEST_FORM",
  "VERSION",
  "LIMIT_SIZE",
  "TRUST_FILE",
  "TRUST_BUNDLE",
  "KEY_WEAK",
  "AUTHORITY_POLICY"
])

interface VerifierRule {
  readonly reason: string
  readonly expected?: string
  readonly at: RegExp
  /** Whether the member satisfies everything that a schema can express. */
  readonly holds: (member: Json) => boolean
}

/** Rules that no schema can express. */
const verifierOnly: ReadonlyArray<VerifierRule> = [
  {
    reason: "a day that its month does not have",
    expected: "INSTANT",
    at: /./,
    holds: (member) => matches(member, instantOfAnyMonth) && /-(?:0[2469]|11)-(?:29|3[01])T/.test(String(member))
  },
  {
    reason: "a key or a grant that is named twice",
    expected: "UNIQUE",
    at: /\.(?:kid|jwk\.x|grantDigest)$/,
    holds: (member) => typeof member === "string"
  },
  {
    reason: "a validity that ends before it begins",
    expected: "LATER",
    at: /\.validUntil$/,
    holds: (member) => matches(member, instantOfAnyMonth)
  },
  {
    reason: "bytes that are not a key of Ed25519",
    at: /^keys\[\d+\]\.jwk$/,
    holds: (jwk) => matches(valueAt(jwk, ["x"]), /^[\w-]{43}$/) && isItsOwnBase64url(String(valueAt(jwk, ["x"])))
  }
]

const instantOfAnyMonth =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

const matches = (value: Json, pattern: RegExp): boolean => typeof value === "string" && pattern.test(value)

const isItsOwnBase64url = (text: string): boolean => Buffer.from(text, "base64url").toString("base64url") === text

const explainVerifier = (value: Json, { code, at = "", expected }: Failure): Comparison => {
  const member = valueAt(
    value,
    at.split(/[.[\]]+/).filter((step) => step !== "")
  )
  const rule = verifierOnly.find(
    (one) => one.at.test(at) && (one.expected ?? expected) === expected && one.holds(member)
  )
  return rule === undefined ? surprise(`only the verifier refuses: ${code} at ${at}`) : explained([rule.reason])
}

interface SchemaRule {
  readonly in: FormatName
  readonly at: RegExp
  readonly reason: string
  readonly holds?: (value: Json) => boolean
}

const notSigned = {
  reason: "a text that is not a JWS, which is refused when its signature is checked",
  holds: (value: Json) => typeof value === "string" && !readJws(value).ok
}

const notDetached = {
  reason: "a text that is not a detached JWS, which is refused when the signature is checked",
  holds: (signature: Json) => {
    const jws = compactFormOf({ schema: "", body: {}, signature: String(signature) })
    return typeof signature === "string" && (!jws.ok || !readJws(jws.value).ok)
  }
}

const anotherCount = {
  reason: "a number of summaries other than 1 to 20, which is refused with the manifest's entries",
  holds: (value: Json) => Array.isArray(value) && (value.length === 0 || value.length > 20)
}

/** Rules of the schemas that the verifier checks later or never. */
const schemaOnly: ReadonlyArray<SchemaRule> = [
  { in: "service-result-package-v2", at: /^\/(?:events|gaps|authority\/\d+\/events)\/\d+$|^\/record$/, ...notSigned },
  { in: "service-result-review-v1", at: /^\/record$/, ...notSigned },
  { in: "service-standard-record-v1", at: /^\/record$/, ...notSigned },
  { in: "service-result-passport-v1", at: /^\/(?:manifest|(?:summaries|statuses)\/\d+)$/, ...notSigned },
  { in: "service-commerce-record-v1", at: /^\/record$/, ...notSigned },
  { in: "service-transaction-closure-package-v2", at: /^\/body\/data\/artifacts\/\w+$/, ...notSigned },
  { in: "service-transaction-closure-package-v2", at: /^\/signature$/, ...notDetached },
  {
    in: "service-transaction-closure-package-v2",
    at: /^\/body\/lineage\/(?:historyReference|agreementLink|nextAgreement|passport\/(?:manifest|(?:summaries|statuses)\/\d+))$/,
    ...notSigned
  },
  { in: "service-transaction-closure-package-v2", at: /^\/body\/lineage\/passport\/summaries$/, ...anotherCount },
  {
    in: "service-transaction-closure-package-v2",
    at: /^\/body\/lineage\/passport\/statuses$/,
    reason: "more than 20 statements in the passport of a lineage, where none is read",
    holds: (value) => Array.isArray(value) && value.length > 20
  },
  {
    in: "service-history-reference-v1",
    at: /^\/references$/,
    reason: "a number of references other than one, which is refused with the passport's entries",
    holds: (value) => Array.isArray(value) && value.length !== 1
  },
  { in: "transaction-closure-package-v1", at: /^\/signature$/, ...notDetached },
  { in: "service-result-passport-v1", at: /^\/summaries$/, ...anotherCount },
  {
    in: "service-result-order-v1",
    at: /^\/financialEvents$/,
    reason: "an order without events, which is refused with its moves",
    holds: (value) => Array.isArray(value) && value.length === 0
  },
  {
    in: "service-result-review-v1",
    at: /^\/trust(?:\/|$)/,
    reason: "enclosed keys, which are never used"
  },
  {
    in: "service-result-review-v1",
    at: /^\/status$/,
    reason: "an enclosed status, which is checked by itself"
  },
  {
    in: "service-standard-record-v1",
    at: /^\/metadata(?:\/|$)/,
    reason: "metadata beside a record, which is not signed"
  }
]

/** Every reason for which schema and verifier may differ. */
export const reasonsToDiffer: ReadonlyArray<string> = [
  ...new Set([...verifierOnly, ...schemaOnly].map(({ reason }) => reason))
]

const valueAt = (value: Json, path: ReadonlyArray<string>): Json =>
  path.reduce((place, step) => Reflect.get(Object(place), step) as Json, value)
