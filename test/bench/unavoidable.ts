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
export const packageWork = ({ record, status }: Review, { keys }: IssuerKeys): Work => {
  const { content, signed, hashed } = partsOfPackage(record, keys)
  const current = parseJws(status, keys)
  return workOf(`${content.events.length} events`, [...signed, current], [...hashed, current.payload])
}

const partsOfPackage = (jws: string, keys: IssuerKeys["keys"]) => {
  const content = payloadOf(jws)
  const chained: ReadonlyArray<string> = [
    ...content.events,
    ...content.authority.flatMap((chain: { readonly events: ReadonlyArray<string> }) => chain.events)
  ]
  const signed = [jws, content.record as string, ...chained].map((one) => parseJws(one, keys))
  // A chained event has a digest of the payload and a hash of the event; an enclosed object has a digest.
  const hashed = [
    ...signed.map((one) => one.payload),
    ...chained.map((one) => parseJws(one, keys).payload),
    ...[content.agreement, content.submission, content.review].map((object) => canonicalBytes(object))
  ]
  return { content, signed, hashed }
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
  const { content, signed, hashed } = partsOfPayment(file["record"], keys)
  return workOf(`a payment of ${content.journal.entries.length} entries`, [signed], hashed)
}

const partsOfPayment = (jws: string, keys: IssuerKeys["keys"]) => {
  const content = payloadOf(jws)
  const entries: ReadonlyArray<{ readonly hash: string }> = content.journal.entries
  const signed = parseJws(jws, keys)
  const hashed = [
    signed.payload,
    canonicalBytes(content.binding),
    ...entries.map((entry) => canonicalBytes(withoutHash(entry)))
  ]
  return { content, signed, hashed }
}

/** The work of the three parts of a closure; the signatures of the closure and the order, and the digests of the order. */
export const closureWork = (file: { readonly [member: string]: any }, { keys }: IssuerKeys): Work => {
  const { artifacts } = file["body"].data
  const result = partsOfPackage(artifacts.resultPackage, keys)
  const payment = partsOfPayment(artifacts.commerceRecord, keys)
  const [outer, order] = [
    file["signature"].replace("..", `.${Buffer.from(canonicalBytes(file["body"])).toString("base64url")}.`),
    artifacts.resultOrder
  ].map((jws) => parseJws(jws, keys)) as [ParsedJws, ParsedJws]
  const { terms, financialEvents, termsDigest, financialHead, baseUrl } = payloadOf(artifacts.resultOrder)
  const hashed = [
    outer.payload,
    order.payload,
    canonicalBytes(terms),
    ...financialEvents.map((event: { readonly hash: string }) => canonicalBytes(withoutHash(event))),
    canonicalBytes([termsDigest, financialHead, baseUrl, baseUrl, terms.agreement.digest])
  ]
  return workOf(
    `a closure of ${result.content.events.length} events and ${payment.content.journal.entries.length} entries`,
    [outer, ...result.signed, order, payment.signed],
    [...hashed, ...result.hashed, ...payment.hashed]
  )
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
