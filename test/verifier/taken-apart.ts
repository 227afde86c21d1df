/** The objects in the files of a case, taken apart by code that the verifier does not share. */
import { readJson, type Json } from "../../src/canonical/json.ts"
import type { FormatName } from "../../src/records/schemas.ts"
import { formatOf } from "../support/published-schemas.ts"
import { type Case } from "./corpus/case.ts"

export interface Part {
  readonly place: string
  readonly format: FormatName
  readonly value: Json
}

/** What a file or a signature holds: objects of published formats, and what schemas cannot speak about. */
export interface TakenApart {
  readonly parts: ReadonlyArray<Part>
  readonly unread: ReadonlyArray<{ readonly place: string; readonly why: string }>
}

export const takeApart = ({ artifact, trust, status, policy }: Omit<Case, "name" | "why" | "expected">): TakenApart =>
  together([
    fromBytes("keys", trust, () => "service-issuer-keys-v1"),
    policy === undefined ? nothing : fromBytes("policy", policy, () => "service-authority-policy-v1"),
    status === undefined ? nothing : fromFile("status", status),
    fromFile("artifact", artifact)
  ])

const nothing: TakenApart = { parts: [], unread: [] }

const unread = (place: string, why: string): TakenApart => ({ parts: [], unread: [{ place, why }] })

const together = (all: ReadonlyArray<TakenApart>): TakenApart => ({
  parts: all.flatMap(({ parts }) => parts),
  unread: all.flatMap(({ unread }) => unread)
})

/** JSON of a known kind, the answer `{status}`, or a JWS. */
const fromFile = (place: string, bytes: Uint8Array): TakenApart => {
  const text = Buffer.from(bytes).toString("latin1").trimEnd()
  if (/^ey[\w-]*\.[\w-]*\.[\w-]*$/.test(text)) return fromJws(place, text, formatOf(typOf(text)))
  return fromBytes(place, bytes, (value) => {
    const schema = memberOf(value, "schema")
    if (schema === undefined && typeof memberOf(value, "status") === "string") return undefined
    return schema === "service.standard-record/v1" ? "service-standard-record-v1" : "service-result-review-v1"
  })
}

/** The kind that the header promises. */
const typOf = (jws: string): unknown => {
  try {
    return JSON.parse(Buffer.from(jws.split(".")[0]!, "base64url").toString()).typ
  } catch {
    return undefined
  }
}

/** Nobody issues the first version any more: it has no schema. */
const packageFormatOf = (jws: string): FormatName | undefined =>
  typOf(jws) === "service.result-package/v1" ? undefined : "service-result-package-v2"

const fromJws = (place: string, jws: Json | undefined, format: FormatName | undefined): TakenApart => {
  const segments = typeof jws === "string" ? jws.split(".") : []
  if (segments.length !== 3) return unread(place, "that have not three segments")
  return fromBytes(place, Buffer.from(segments[1]!, "base64url"), () => format)
}

const fromBytes = (
  place: string,
  bytes: Uint8Array,
  formatFor: (value: Json) => FormatName | undefined
): TakenApart => {
  // A schema speaks of values: what two readers read differently, or not at all, has none.
  if (!readJson(bytes, { refusesNul: true }).ok) return unread(place, "that are not strict JSON")
  const value = JSON.parse(Buffer.from(bytes).toString("utf8")) as Json
  const format = formatFor(value)
  const own: TakenApart =
    format === undefined ? unread(place, "of no published format") : { parts: [{ place, format, value }], unread: [] }
  return together([own, ...enclosedIn(place, value)])
}

/** The signed objects inside one, by the member that holds them. */
const enclosedIn = (place: string, value: Json): ReadonlyArray<TakenApart> => {
  const record = memberOf(value, "record")
  const status = memberOf(value, "status")
  const isPackage = memberOf(value, "events") !== undefined
  const isRecordAlone = isPackage || memberOf(value, "schema") === "service.standard-record/v1"
  const formatIn = (jws: string) => (isRecordAlone ? "service-result-record-v1" : packageFormatOf(jws))
  return [
    ...(typeof record === "string" ? [fromJws(`${place}.record`, record, formatIn(record))] : []),
    ...(typeof status === "string" ? [fromJws(`${place}.status`, status, "service-agent-status-v1")] : []),
    ...eventsIn(place, value, "service-project-event-v1"),
    ...listIn(value, "authority").flatMap((chain, index) =>
      eventsIn(`${place}.authority[${index}]`, chain, "service-authority-event-v1")
    )
  ]
}

const eventsIn = (place: string, value: Json, format: FormatName): ReadonlyArray<TakenApart> =>
  listIn(value, "events").map((jws, index) => fromJws(`${place}.events[${index}]`, jws, format))

const listIn = (value: Json, member: string): ReadonlyArray<Json> => {
  const list = memberOf(value, member)
  return Array.isArray(list) ? list : []
}

const memberOf = (value: Json, member: string): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value) && Object.hasOwn(value, member)
    ? value[member]
    : undefined
