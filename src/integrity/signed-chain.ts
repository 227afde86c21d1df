/**
 * Whether a signed chain is whole, from its rows and the issuer's public keys. As in all of this folder, hashes and
 * signatures are computed without the code that wrote them, so that an error there is found too.
 */
import { createPublicKey, hash, type KeyObject, verify } from "node:crypto"
import canonicalize from "canonicalize"
import type { IssuerKeys, KeyPurpose } from "../ports/signer.ts"
import type { JsonValues } from "./stored-json.ts"

/** The signatures of the events of one kind of chain. */
export interface ChainForm {
  /** The member of an event that names the owner of the chain. */
  readonly owner: string
  readonly schema: string
  readonly purpose: KeyPurpose
}

export const chainForms = {
  project: { owner: "projectId", schema: "service.project-event/v1", purpose: "EVENT" },
  proposal: { owner: "proposalId", schema: "service.proposal-event/v1", purpose: "EVENT" },
  grant: { owner: "grantId", schema: "service.authority-event/v1", purpose: "AUTHORITY" }
} as const satisfies { readonly [kind: string]: ChainForm }

export interface ChainEventRow {
  readonly sequence: number
  readonly hash: string
  readonly jws: string
  /** Absent where the time is inside the signed event only. */
  readonly occurredAt?: string
}

/** A signed statement that events after the kept one may be lost. */
export interface ChainGapRow {
  readonly keptSequence: number | null
  readonly lostSequence: number
  /** Null until the operator states the loss. */
  readonly statement: string | null
}

const gapForm: ChainForm = { owner: "projectId", schema: "service.history-gap/v1", purpose: "EVENT" }

export interface ChainRows {
  readonly id: string
  /** What the first event names as its predecessor. */
  readonly origin: string | null | undefined
  /** The hash and the number of the last event, from the owner's row. */
  readonly head: readonly [hash: string, count: number] | undefined
  /** All events that were kept, in order. */
  readonly events: ReadonlyArray<ChainEventRow>
  /** Of a project only. */
  readonly gaps?: ReadonlyArray<ChainGapRow>
}

/** What is wrong with the chain from the event at index `from` on; undefined if nothing is. */
export const chainProblem = (
  form: ChainForm,
  { id, origin, head, events, gaps = [] }: ChainRows,
  keys: IssuerKeys,
  from = 0
): string | undefined => {
  for (const [index, event] of events.entries()) {
    if (index < from) continue
    const position = sequenceAfter(events[index - 1]?.sequence ?? 0, gaps)
    if (event.sequence !== position) return `event ${event.sequence} of ${id} is at position ${position}`
    const previous = index === 0 ? origin : events[index - 1]!.hash
    const wrong = eventProblem(event, { form, id, previous, keys })
    if (wrong !== undefined) return `event ${event.sequence} of ${id} ${wrong}`
  }
  for (const { keptSequence, statement } of gaps) {
    const opened = statement === null ? undefined : open(statement, keys, gapForm)
    if (typeof opened === "string") return `the statement after event ${keptSequence} of ${id} ${opened}`
  }
  const [hash, count] = head ?? []
  const last = events.at(-1)?.sequence ?? 0
  if (count !== last) return `${id} counts ${count} events and has ${last}`
  return hash === events.at(-1)?.hash ? undefined : `the head of ${id} is not its last event`
}

/** The number after an event: no number of an event that is stated as lost is used again. */
const sequenceAfter = (sequence: number, gaps: ReadonlyArray<ChainGapRow>): number =>
  1 + Math.max(sequence, ...gaps.flatMap((gap) => (gap.keptSequence === sequence ? [gap.lostSequence] : [])))

/** True where an event is dated before its predecessor. */
export const isDatedBefore = (event: ChainEventRow, predecessor: ChainEventRow): boolean =>
  occurredAtOf(event) < occurredAtOf(predecessor)

const occurredAtOf = ({ occurredAt, jws }: ChainEventRow): string =>
  occurredAt ?? String(jsonIn(jws.split(".")[1] ?? "")["occurredAt"])

interface Position {
  readonly form: ChainForm
  readonly id: string
  readonly previous: string | null | undefined
  readonly keys: IssuerKeys
}

const eventProblem = (event: ChainEventRow, { form, id, previous, keys }: Position): string | undefined => {
  const opened = open(event.jws, keys, form)
  if (typeof opened === "string") return opened
  if (opened.previous !== previous) return "does not name its predecessor"
  if (opened.hash !== event.hash) return "is stored under another hash"
  if (opened.owner !== id || opened.sequence !== event.sequence) return "was signed for another position"
  return event.occurredAt === undefined || event.occurredAt === opened.occurredAt
    ? undefined
    : "was signed for another time"
}

/** The members of a signed event that the check compares. */
interface VerifiedEvent {
  readonly hash: string
  readonly previous: unknown
  readonly owner: unknown
  readonly sequence: unknown
  readonly occurredAt: unknown
}

/** Caches verification results: the worlds of a search contain the same events many times. */
const open = (jws: string, keys: IssuerKeys, form: ChainForm): VerifiedEvent | string => {
  const cache = opened.get(keys) ?? new Map<string, VerifiedEvent | string>()
  opened.set(keys, cache)
  const name = `${form.schema} ${jws}`
  const found = cache.get(name) ?? verifyEvent(jws, keys, form)
  if (cache.size >= cacheMax) cache.clear()
  cache.set(name, found)
  return found
}

const opened = new WeakMap<IssuerKeys, Map<string, VerifiedEvent | string>>()
const cacheMax = 10_000

/** The signed event, or the problem with its signature. */
const verifyEvent = (jws: string, keys: IssuerKeys, { schema, purpose, owner }: ChainForm): VerifiedEvent | string => {
  const [header = "", payload = "", signature = "", ...more] = jws.split(".")
  const { alg, kid, typ } = jsonIn(header)
  const event = jsonIn(payload)
  if (more.length > 0 || alg !== "EdDSA" || typ !== schema || event["schema"] !== schema)
    return "is not an event of its schema"
  const issuedAt = String(event["issuedAt"])
  const key = keys.keys.find((one) => one.kid === kid && one.purposes.includes(purpose))
  if (key === undefined || issuedAt < key.validFrom || key.validUntil <= issuedAt)
    return "is not signed with a valid key for its purpose"
  if (key.revokedAt !== null && key.revokedAt <= issuedAt) return "is signed with a revoked key"
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify(null, signed, publicKey(key.jwk), Buffer.from(signature, "base64url"))) return "has an invalid signature"
  const { issuedAt: _, ...content } = event
  return {
    hash: hash("sha256", canonicalize(content) ?? ""),
    previous: event["previous"],
    owner: event[owner],
    sequence: event["sequence"],
    occurredAt: event["occurredAt"]
  }
}

const publicKey = (jwk: IssuerKeys["keys"][number]["jwk"]): KeyObject =>
  createPublicKey({ key: { ...jwk }, format: "jwk" })

const jsonIn = (part: string): JsonValues => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"))
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonValues) : {}
  } catch {
    return {}
  }
}
