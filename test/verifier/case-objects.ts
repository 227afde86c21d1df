/** Extracts the objects from the files of a case, without code of the verifier. */
import { readJson, type Json } from "../../src/canonical/json.ts"
import type { FormatName } from "../../src/documents/schemas.ts"
import { formatOf } from "../support/published-schemas.ts"
import { type Case } from "./corpus/case.ts"

export interface CaseObject {
  readonly place: string
  readonly format: FormatName
  readonly value: Json
}

/** The contents of a file or JWS: objects of published formats, and parts without one. */
export interface CaseObjects {
  readonly parts: ReadonlyArray<CaseObject>
  readonly withoutFormat: ReadonlyArray<{ readonly place: string; readonly why: string }>
}

export const extractObjects = ({
  artifact,
  trust,
  status,
  policy
}: Omit<Case, "name" | "why" | "expected">): CaseObjects =>
  together([
    fromBytes("keys", trust, () => "service-issuer-keys-v1"),
    policy === undefined ? nothing : fromBytes("policy", policy, () => "service-authority-policy-v1"),
    status === undefined ? nothing : fromFile("status", status),
    fromFile("artifact", artifact)
  ])

const nothing: CaseObjects = { parts: [], withoutFormat: [] }

const unread = (place: string, why: string): CaseObjects => ({ parts: [], withoutFormat: [{ place, why }] })

const together = (all: ReadonlyArray<CaseObjects>): CaseObjects => ({
  parts: all.flatMap(({ parts }) => parts),
  withoutFormat: all.flatMap(({ withoutFormat }) => withoutFormat)
})

/** JSON of a known kind, the answer `{status}`, a list of statements, or a JWS. */
const fromFile = (place: string, bytes: Uint8Array): CaseObjects => {
  const text = Buffer.from(bytes).toString("latin1").trimEnd()
  if (/^ey[\w-]*\.[\w-]*\.[\w-]*$/.test(text)) return fromJws(place, text, formatOfPayload(typOf(text)))
  return fromBytes(place, bytes, (value) => {
    if (place === "status" && Array.isArray(value)) return undefined
    const schema = memberOf(value, "schema")
    if (schema === undefined && typeof memberOf(value, "status") === "string") return undefined
    if (schema === undefined && place === "status") return undefined
    if (schema === closure) return "service-transaction-closure-package-v2"
    if (schema === closureV1) return "transaction-closure-package-v1"
    if (schema === passport) return "service-result-passport-v1"
    if (schema === payment) return "service-commerce-record-v1"
    // The published schema is that of the signed payload.
    if (schema === paymentStatus) return undefined
    return schema === "service.standard-record/v1" ? "service-standard-record-v1" : "service-result-review-v1"
  })
}

const passport = "service.result-passport/v1"
const payment = "service.commerce-record/v1"
const paymentStatus = "service.commerce-status/v1"
const closure = "service.transaction-closure-package/v2"
const closureV1 = "transaction-closure-package/v1"

/**
 * The published schema of a passport, a Commerce Record or a closure is that of its file; the signed payload, which names
 * the same, has none.
 */
const formatOfPayload = (schema: unknown): FormatName | undefined =>
  [passport, payment, closure, closureV1].includes(String(schema)) ? undefined : formatOf(schema)

/** The `typ` of the header. */
const typOf = (jws: string): unknown => {
  try {
    return JSON.parse(Buffer.from(jws.split(".")[0]!, "base64url").toString()).typ
  } catch {
    return undefined
  }
}

/** The first version has no published schema, since it is never issued. */
const packageFormatOf = (jws: string): FormatName | undefined =>
  typOf(jws) === "service.result-package/v1" ? undefined : "service-result-package-v2"

const fromJws = (place: string, jws: Json | undefined, format: FormatName | undefined): CaseObjects => {
  const segments = typeof jws === "string" ? jws.split(".") : []
  if (segments.length !== 3) return unread(place, "that have not three segments")
  return fromBytes(place, Buffer.from(segments[1]!, "base64url"), () => format)
}

const fromBytes = (
  place: string,
  bytes: Uint8Array,
  formatFor: (value: Json) => FormatName | undefined
): CaseObjects => {
  // A schema applies to values; bytes that are not strict JSON have no unambiguous value.
  if (!readJson(bytes, { refusesNul: true }).ok) return unread(place, "that are not strict JSON")
  const value = JSON.parse(Buffer.from(bytes).toString("utf8")) as Json
  const format = formatFor(value)
  const own: CaseObjects =
    format === undefined
      ? unread(place, "of no published format")
      : { parts: [{ place, format, value }], withoutFormat: [] }
  return together([own, ...enclosedIn(place, value)])
}

/** The signed objects inside one, by the member that holds them. */
const enclosedIn = (place: string, value: Json): ReadonlyArray<CaseObjects> => {
  const record = memberOf(value, "record")
  const status = memberOf(value, "status")
  const isPackage = memberOf(value, "events") !== undefined
  const isRecordAlone = isPackage || memberOf(value, "schema") === "service.standard-record/v1"
  const isPayment = memberOf(value, "schema") === payment
  const isPaymentStatus = memberOf(value, "schema") === paymentStatus
  const formatIn = (jws: string) =>
    isPayment ? undefined : isRecordAlone ? "service-result-record-v1" : packageFormatOf(jws)
  const statements = place === "status" && Array.isArray(value) ? value : listIn(value, "statuses")
  return [
    ...(isPassport(value) ? [fromJws(`${place}.manifest`, memberOf(value, "manifest"), undefined)] : []),
    ...jwsIn(`${place}.summaries`, listIn(value, "summaries"), "service-result-summary-v1"),
    ...jwsIn(`${place}.statuses`, statements, "service-publication-status-v1"),
    ...(typeof record === "string" ? [fromJws(`${place}.record`, record, formatIn(record))] : []),
    ...(typeof status === "string"
      ? [
          fromJws(
            `${place}.status`,
            status,
            isPaymentStatus ? formatOfPayload(typOf(status)) : "service-agent-status-v1"
          )
        ]
      : []),
    ...artifactsIn(place, value),
    ...lineageIn(place, value),
    ...halvesIn(place, value),
    ...eventsIn(place, value, "service-project-event-v1"),
    ...jwsIn(`${place}.gaps`, listIn(value, "gaps"), "service-history-gap-v1"),
    ...listIn(value, "authority").flatMap((chain, index) =>
      eventsIn(`${place}.authority[${index}]`, chain, "service-authority-event-v1")
    )
  ]
}

const isPassport = (value: Json): boolean =>
  memberOf(value, "schema") === passport && memberOf(value, "manifest") !== undefined

/** The enclosed artifacts of a closure. */
const artifactsIn = (place: string, value: Json): ReadonlyArray<CaseObjects> => {
  const data = memberOf(memberOf(value, "body") ?? null, "data")
  const artifacts = memberOf(data ?? null, "artifacts") ?? null
  return (["resultPackage", "resultOrder", "commerceRecord"] as const).flatMap((member) => {
    const jws = memberOf(artifacts, member)
    return typeof jws === "string" ? [fromJws(`${place}.${member}`, jws, formatOfPayload(typOf(jws)))] : []
  })
}

/** The passport and the signed objects of a closure's lineage. */
const lineageIn = (place: string, value: Json): ReadonlyArray<CaseObjects> => {
  const lineage = memberOf(memberOf(value, "body") ?? null, "lineage") ?? null
  const enclosed = memberOf(lineage, "passport")
  const isFile = enclosed !== undefined && isPassport(enclosed)
  return [
    ...(isFile
      ? [fromBytes(`${place}.passport`, Buffer.from(JSON.stringify(enclosed)), () => formatOf(passport))]
      : []),
    ...(["historyReference", "agreementLink", "nextAgreement"] as const).flatMap((member) => {
      const jws = memberOf(lineage, member)
      return typeof jws === "string" ? [fromJws(`${place}.${member}`, jws, formatOfPayload(typOf(jws)))] : []
    })
  ]
}

/** The status of the result and that of the payment. */
const halvesIn = (place: string, value: Json): ReadonlyArray<CaseObjects> =>
  place === "status"
    ? (["result", "commerce"] as const).flatMap((member) => {
        const jws = memberOf(value, member)
        return typeof jws === "string" ? [fromJws(`${place}.${member}`, jws, formatOfPayload(typOf(jws)))] : []
      })
    : []

const eventsIn = (place: string, value: Json, format: FormatName): ReadonlyArray<CaseObjects> =>
  jwsIn(`${place}.events`, listIn(value, "events"), format)

const jwsIn = (place: string, list: ReadonlyArray<Json>, format: FormatName): ReadonlyArray<CaseObjects> =>
  list.map((jws, index) => fromJws(`${place}[${index}]`, jws, format))

const listIn = (value: Json, member: string): ReadonlyArray<Json> => {
  const list = memberOf(value, member)
  return Array.isArray(list) ? list : []
}

const memberOf = (value: Json, member: string): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value) && Object.hasOwn(value, member)
    ? value[member]
    : undefined
