/**
 * Verifies what is appended to a chain as a stranger would who holds the issuer's keys and no code of the service
 * (spec 4.8): what was there before was judged when it was appended.
 */
import { createPublicKey, hash, type KeyObject, verify } from "node:crypto"
import canonicalize from "canonicalize"
import { AuthorityEvents, Grants } from "../../src/access/store.ts"
import type { IssuerKeys, KeyPurpose } from "../../src/ports/signer.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { ProjectEvents, Projects } from "../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalVersions } from "../../src/proposals/store.ts"
import { isObject, type Json, type JsonObject } from "../script/json.ts"
import { type Broken, broken, invariant, type Moment, rowIn, type Rows, rowsUnder } from "./invariant.ts"
import { firstKeysOf, writesTo } from "./support/commits.ts"

export const everyChainVerifies = invariant<null>({
  name: "every chain verifies",
  kind: "always",
  says: "Each event is signed with the key for it, names the one before it, and is counted by whatever it is about.",
  begins: null,
  sees: (_, moment) => {
    if (moment.observed.kind !== "commit") return null
    for (const chain of chains) {
      for (const id of firstKeysOf(moment.observed, chain.events, chain.heads)) {
        const words = wrongIn(chain, id, moment)
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

/** Where a chain is, how its events are signed, and what says how far it goes. */
interface Chain {
  readonly events: AnyTable
  readonly heads: AnyTable
  /** The member of an event that names whose chain it is. */
  readonly owner: string
  readonly schema: string
  readonly purpose: KeyPurpose
  /** What the first event names as the one before it. */
  readonly first: (rows: Rows, id: string) => string | null | undefined
  /** The hash and the number of the last event, as its owner's row has them. */
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

const wrongIn = (chain: Chain, id: string, { observed, rows, keys }: Moment): Broken | undefined => {
  const written = writesTo(observed, chain.events).filter(({ key }) => key[0] === id)
  const changed = written.find(({ change }) => change !== "insert")
  if (changed !== undefined) return broken(`event ${changed.key[1]} of ${id} was written again`)
  const events = rowsUnder(rows, chain.events, [id]).map((row) => row as unknown as EventRow)
  const from = Math.max(0, events.length - Math.max(1, written.length))
  for (const [index, event] of events.entries()) {
    if (index < from) continue
    if (event.sequence !== index + 1) return broken(`event ${event.sequence} of ${id} stands at place ${index + 1}`)
    const previous = index === 0 ? chain.first(rows, id) : events[index - 1]!.hash
    const wrong = wrongOf(event, { chain, id, previous, keys })
    if (wrong !== undefined) return broken(`event ${event.sequence} of ${id} ${wrong}`)
  }
  const [hash, count] = chain.head(rows, id) ?? []
  if (count !== events.length) return broken(`${id} counts ${count} events where there are ${events.length}`)
  return hash === events.at(-1)?.hash ? undefined : broken(`the head of ${id} is not its last event`)
}

interface Place {
  readonly chain: Chain
  readonly id: string
  readonly previous: string | null | undefined
  readonly keys: IssuerKeys
}

const wrongOf = (event: EventRow, { chain, id, previous, keys }: Place): string | undefined => {
  const opened = open(event.jws, keys, chain)
  if (typeof opened === "string") return opened
  if (opened.previous !== previous) return "does not name the one before it"
  if (opened.hash !== event.hash) return "is stored under a hash that is not its own"
  if (opened.owner !== id || opened.sequence !== event.sequence) return "was signed for another place"
  return event.occurredAt === undefined || event.occurredAt === opened.occurredAt
    ? undefined
    : "was signed for another time"
}

/** What judging a place needs of a signed event. */
interface Opened {
  readonly hash: string
  readonly previous: Json | undefined
  readonly owner: Json | undefined
  readonly sequence: Json | undefined
  readonly occurredAt: Json | undefined
}

/** Worlds of one search hold the same bytes over and over: what is true of bytes and keys is found out once. */
const open = (jws: string, keys: IssuerKeys, chain: Chain): Opened | string => {
  const known = opened.get(keys) ?? new Map<string, Opened | string>()
  opened.set(keys, known)
  const name = `${chain.schema} ${jws}`
  const found = known.get(name) ?? verified(jws, keys, chain)
  if (known.size >= knownMost) known.clear()
  known.set(name, found)
  return found
}

const opened = new WeakMap<IssuerKeys, Map<string, Opened | string>>()
const knownMost = 10_000

/** The event that was signed, or what is wrong with the signature. */
const verified = (jws: string, keys: IssuerKeys, { schema, purpose, owner }: Chain): Opened | string => {
  const [header = "", payload = "", signature = "", ...more] = jws.split(".")
  const { alg, kid, typ } = parsed(header)
  const event = parsed(payload)
  if (more.length > 0 || alg !== "EdDSA" || typ !== schema || event["schema"] !== schema) return "is no such event"
  const issuedAt = String(event["issuedAt"])
  const key = keys.keys.find((one) => one.kid === kid && one.purposes.includes(purpose))
  if (key === undefined || issuedAt < key.validFrom || key.validUntil <= issuedAt)
    return "is not signed with a key for it"
  if (key.revokedAt !== null && key.revokedAt <= issuedAt) return "is signed with a revoked key"
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify(null, signed, publicKey(key.jwk), Buffer.from(signature, "base64url"))) return "has a wrong signature"
  const { issuedAt: _, ...told } = event
  return {
    hash: hash("sha256", canonicalize(told) ?? ""),
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
