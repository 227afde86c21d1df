/**
 * Verifies each appended event independently, with the issuer's keys and no code of the service (spec 4.8); earlier
 * events were verified when they were appended.
 */
import { createPublicKey, hash, type KeyObject, verify } from "node:crypto"
import canonicalize from "canonicalize"
import { AuthorityEvents, Grants } from "../../../src/access/store.ts"
import type { IssuerKeys, KeyPurpose } from "../../../src/ports/signer.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import { ProjectEvents, Projects } from "../../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalVersions } from "../../../src/proposals/store.ts"
import { isObject, type Json, type JsonObject } from "../../vocabulary/json.ts"
import {
  type PropertyViolation,
  violation,
  monitoredProperty,
  type Moment,
  rowIn,
  type Rows,
  rowsWithPrefix
} from "../property.ts"
import { firstKeysOf, writesTo } from "../support/commits.ts"

export const everyChainVerifies = monitoredProperty<null>({
  name: "every chain verifies",
  kind: "always",
  says: "Each event is signed with a valid key for its purpose, names the hash of its predecessor, and is counted by its project, proposal or grant.",
  judges: { kinds: [], commitsTo: [ProjectEvents, Projects, ProposalEvents, Proposals, AuthorityEvents, Grants] },
  initial: null,
  next: (_, moment) => {
    if (moment.observed.kind !== "commit") return null
    for (const chain of chains) {
      for (const id of firstKeysOf(moment.observed, chain.events, chain.heads)) {
        const words = chainViolation(chain, id, moment)
        if (words !== undefined) return words
      }
    }
    return null
  }
})

interface EventRow {
  readonly sequence: number
  readonly hash: string
  readonly jws: string
  readonly occurredAt?: string
}

/** The tables of a chain, the signatures of its events, and its head. */
interface Chain {
  readonly events: AnyTable
  readonly heads: AnyTable
  /** The member of an event that names the owner of the chain. */
  readonly owner: string
  readonly schema: string
  readonly purpose: KeyPurpose
  /** The predecessor hash of the first event. */
  readonly first: (rows: Rows, id: string) => string | null | undefined
  /** The hash and the number of the last event, from the owner's row. */
  readonly head: (rows: Rows, id: string) => readonly [hash: string, count: number] | undefined
}

const headIn =
  (table: typeof Projects | typeof Proposals): Chain["head"] =>
  (rows, id) => {
    const row = rowIn(rows, table, [id])
    return row && [row.headEventHash, row.eventCount]
  }

const chains: ReadonlyArray<Chain> = [
  {
    events: ProjectEvents,
    heads: Projects,
    owner: "projectId",
    schema: "service.project-event/v1",
    purpose: "EVENT",
    first: (rows, id) => rowIn(rows, Projects, [id])?.agreementDigest,
    head: headIn(Projects)
  },
  {
    events: ProposalEvents,
    heads: Proposals,
    owner: "proposalId",
    schema: "service.proposal-event/v1",
    purpose: "EVENT",
    first: (rows, id) => rowIn(rows, ProposalVersions, [id, 1])?.digest,
    head: headIn(Proposals)
  },
  {
    events: AuthorityEvents,
    heads: Grants,
    owner: "grantId",
    schema: "service.authority-event/v1",
    purpose: "AUTHORITY",
    first: () => null,
    head: (rows, id) => {
      const row = rowIn(rows, Grants, [id])
      return row && [row.authorityHead, row.authoritySequence]
    }
  }
]

const chainViolation = (chain: Chain, id: string, { observed, rows, keys }: Moment): PropertyViolation | undefined => {
  const written = writesTo(observed, chain.events).filter(({ key }) => key[0] === id)
  const changed = written.find(({ change }) => change !== "insert")
  if (changed !== undefined) return violation(`event ${changed.key[1]} of ${id} was overwritten`)
  const events = rowsWithPrefix(rows, chain.events, [id]).map((row) => row as unknown as EventRow)
  const from = Math.max(0, events.length - Math.max(1, written.length))
  for (const [index, event] of events.entries()) {
    if (index < from) continue
    if (event.sequence !== index + 1) return violation(`event ${event.sequence} of ${id} is at position ${index + 1}`)
    const previous = index === 0 ? chain.first(rows, id) : events[index - 1]!.hash
    const wrong = eventProblem(event, { chain, id, previous, keys })
    if (wrong !== undefined) return violation(`event ${event.sequence} of ${id} ${wrong}`)
  }
  const [hash, count] = chain.head(rows, id) ?? []
  if (count !== events.length) return violation(`${id} counts ${count} events and has ${events.length}`)
  return hash === events.at(-1)?.hash ? undefined : violation(`the head of ${id} is not its last event`)
}

interface Position {
  readonly chain: Chain
  readonly id: string
  readonly previous: string | null | undefined
  readonly keys: IssuerKeys
}

const eventProblem = (event: EventRow, { chain, id, previous, keys }: Position): string | undefined => {
  const opened = open(event.jws, keys, chain)
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
  readonly previous: Json | undefined
  readonly owner: Json | undefined
  readonly sequence: Json | undefined
  readonly occurredAt: Json | undefined
}

/** Caches verification results: the worlds of a search contain the same events many times. */
const open = (jws: string, keys: IssuerKeys, chain: Chain): VerifiedEvent | string => {
  const cache = opened.get(keys) ?? new Map<string, VerifiedEvent | string>()
  opened.set(keys, cache)
  const name = `${chain.schema} ${jws}`
  const found = cache.get(name) ?? verifyEvent(jws, keys, chain)
  if (cache.size >= cacheMax) cache.clear()
  cache.set(name, found)
  return found
}

const opened = new WeakMap<IssuerKeys, Map<string, VerifiedEvent | string>>()
const cacheMax = 10_000

/** The signed event, or the problem with its signature. */
const verifyEvent = (jws: string, keys: IssuerKeys, { schema, purpose, owner }: Chain): VerifiedEvent | string => {
  const [header = "", payload = "", signature = "", ...more] = jws.split(".")
  const { alg, kid, typ } = parsed(header)
  const event = parsed(payload)
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

const parsed = (part: string): JsonObject => {
  try {
    const value = JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as Json
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
