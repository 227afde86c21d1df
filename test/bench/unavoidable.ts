/** The unavoidable work of a verification: every signature, every hash, and one JSON.parse of the artifact. */
import { hash, type KeyObject, verify } from "node:crypto"
import { canonicalBytes } from "../../src/canonical/jcs.ts"
import { importEd25519, readJws } from "../../src/canonical/jws.ts"
import type { IssuerKeys } from "../../src/ports/signer.ts"

export interface Work {
  readonly what: string
  readonly signatures: number
  readonly run: (artifact: string) => void
}

export interface Review {
  readonly record: string
  readonly status: string
}

/** Every signature of the package and its status, and every text covered by a digest or a link of a chain. */
export const packageWork = (review: Review, { keys }: IssuerKeys): Work => {
  const content = payloadOf(review.record)
  const chained: ReadonlyArray<string> = [
    ...content.events,
    ...content.authority.flatMap((chain: { readonly events: ReadonlyArray<string> }) => chain.events)
  ]
  const signed = [review.record, review.status, content.record as string, ...chained].map((jws) => parseJws(jws, keys))
  // A chained event has a digest of the payload and a hash of the event; an enclosed object has a digest.
  const hashed = [
    ...signed.map((one) => one.payload),
    ...chained.map((jws) => parseJws(jws, keys).payload),
    ...[content.agreement, content.submission, content.review].map((object) => canonicalBytes(object))
  ]
  return workOf(`${content.events.length} events`, signed, hashed)
}

/** Every signature of the passport and its statements; the digest of each payload, and of each enclosed summary. */
export const passportWork = (file: { readonly [member: string]: any }, { keys }: IssuerKeys): Work => {
  const summaries: ReadonlyArray<string> = file["summaries"]
  const signed = [file["manifest"], ...summaries, ...file["statuses"]].map((jws) => parseJws(jws, keys))
  const hashed = [...signed.map((one) => one.payload), ...summaries.map((jws) => canonicalBytes(jws))]
  return workOf(`a passport of ${summaries.length}`, signed, hashed)
}

/** The signature of a Commerce Record; the digests of its payload, its binding and each entry. */
export const commerceWork = (file: { readonly [member: string]: any }, { keys }: IssuerKeys): Work => {
  const { binding, journal } = payloadOf(file["record"])
  const entries: ReadonlyArray<{ readonly hash: string }> = journal.entries
  const record = parseJws(file["record"], keys)
  const hashed = [
    record.payload,
    canonicalBytes(binding),
    ...entries.map((entry) => canonicalBytes(withoutHash(entry)))
  ]
  return workOf(`a payment of ${entries.length} entries`, [record], hashed)
}

const withoutHash = (entry: { readonly hash: string }) => {
  const { hash: _, ...content } = entry
  return content
}

const workOf = (what: string, signed: ReadonlyArray<ParsedJws>, hashed: ReadonlyArray<Uint8Array>): Work => ({
  what,
  signatures: signed.length,
  run: (artifact) => {
    for (const { input, key, signature } of signed) {
      if (!verify(null, input, key, signature)) throw new Error("a signature of this installation does not verify")
    }
    for (const bytes of hashed) hash("sha256", bytes)
    JSON.parse(artifact)
  }
})

interface ParsedJws {
  readonly input: Uint8Array
  readonly payload: Uint8Array
  readonly signature: Uint8Array
  readonly key: KeyObject
}

const parseJws = (jws: string, keys: IssuerKeys["keys"]): ParsedJws => {
  const read = readJws(jws)
  if (!read.ok) throw new Error(read.code)
  const imported = importEd25519(keys.find(({ kid }) => kid === read.header.kid)?.jwk)
  if (!imported.ok) throw new Error(imported.code)
  const { signingInput, payload, signature } = read
  return { input: Buffer.from(signingInput), payload, signature, key: imported.key }
}

const payloadOf = (jws: string) => JSON.parse(Buffer.from(jws.split(".")[1]!, "base64url").toString())
