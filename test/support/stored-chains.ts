/** Stored event chains, read directly from the database and verified with only the issuer's public key. */
import type { PgConnection } from "@effect/sql-pg"
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { JsonWebKey } from "node:crypto"
import { chainHash } from "../../src/canonical/chain.ts"
import { importEd25519, readJws, verifyEd25519 } from "../../src/canonical/jws.ts"

export interface StoredEvent {
  readonly sequence: number
  readonly hash: string
  readonly jws: string
  readonly payload: any
}

/** The events of a project or of a grant's authority chain, oldest first. */
export const readEvents = (session: PgConnection.PgConnection, of: "project" | "grant", id: string) =>
  Effect.map(
    session.queryValues(
      `select sequence, hash, jws from ${of === "project" ? "project_events" : "authority_events"}
       where ${of}_id = $1 order by sequence`,
      [PgTypes.text(id)]
    ),
    (rows) => rows.map(([sequence, hash, jws]) => openEvent(Number(sequence), String(hash), String(jws)))
  ).pipe(Effect.orDie)

export const openEvent = (sequence: number, hash: string, jws: string): StoredEvent => ({
  sequence,
  hash,
  jws,
  payload: JSON.parse(Buffer.from(jws.split(".")[1]!, "base64url").toString("utf8"))
})

/**
 * The flaws of a chain, as sentences: each signature, number, hash and link is verified. The first event of a project
 * names its agreement, that of a grant names nothing.
 */
export const flawsOf = (
  events: ReadonlyArray<StoredEvent>,
  publicJwk: JsonWebKey,
  origin: string | null
): ReadonlyArray<string> => {
  const imported = importEd25519({ kty: publicJwk.kty, crv: publicJwk.crv, x: publicJwk.x })
  if (!imported.ok) return [imported.code]
  return events.flatMap(({ sequence, hash, jws, payload }, index) => {
    const read = readJws(jws)
    const isSigned = read.ok && verifyEd25519(imported.key, read.signingInput, read.signature)
    const before = index === 0 ? origin : events[index - 1]!.hash
    const earliest = index === 0 ? "" : events[index - 1]!.payload.occurredAt
    return [
      isSigned ? [] : `event ${sequence} does not verify`,
      sequence === index + 1 && payload.sequence === sequence ? [] : `event ${sequence} is at position ${index + 1}`,
      chainHash(payload) === hash ? [] : `event ${sequence} has another hash than its row`,
      payload.previous === before ? [] : `event ${sequence} does not follow ${before}`,
      payload.occurredAt >= earliest ? [] : `event ${sequence} runs backwards`
    ].flat()
  })
}
