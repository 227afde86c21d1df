/** Ids are `<kind>_<uuid v4>` in lower case; each kind has a schema, and new ones come from one stream a request. */
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { sha256Hex } from "../canonical/digest.ts"

export const idKinds = [
  "delivery",
  "proposal",
  "grant",
  "agent",
  "person",
  "organization",
  "tenant",
  "draft",
  "submission",
  "review",
  "confirmation",
  "event",
  "record",
  "job",
  "webhook",
  "contact",
  "invitation",
  "membership",
  "session",
  "connection",
  "item",
  "entry",
  "share",
  "pub",
  "provider",
  "act",
  "order",
  "commerce",
  "reference",
  "link",
  "epoch"
] as const
export type IdKind = (typeof idKinds)[number]

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"

// Only a pattern with the Unicode flag reaches the OpenAPI document.
const pattern = (text: string) => new RegExp(`^${text}$`, "u")

/** The pattern of an id of one kind, or of a bare UUID v4, as a JSON Schema writes it. */
export const idPattern = (kind: IdKind | undefined): string => `^${kind === undefined ? "" : `${kind}_`}${uuid}$`

/** An id of one kind on the wire. */
export const idOf = (kind: IdKind) =>
  Schema.String.check(Schema.isPattern(pattern(`${kind}_${uuid}`), { expected: `an id like ${kind}_<uuid v4>` }))

export const PersonId = idOf("person")

/** A request id or nonce: UUID v4 in lower case (2.1). */
export const UuidV4 = Schema.String.check(Schema.isPattern(pattern(uuid), { expected: "a UUID v4 in lower case" }))

/** A SHA-256 digest as the wire writes it. */
export const Digest = Schema.String.check(
  Schema.isPattern(pattern("[0-9a-f]{64}"), { expected: "64 lower-case hexadecimal characters" })
)

/**
 * The ids of one request. Streams of one seed with different labels are independent; each attempt of a transaction
 * restarts its stream, so that a retried body produces the same ids.
 */
export interface IdStream {
  readonly next: (kind: IdKind) => string
  /** 32 bytes in hexadecimal: salts and tokens. */
  readonly secret: () => string
}

/** Derives an id from a digest, deterministically. */
export const idFromDigest = (kind: IdKind, digest: string): string => `${kind}_${uuidFrom(digest)}`

const streamFrom = (seed: string): IdStream => {
  let count = 0
  return {
    next: (kind) => `${kind}_${uuidFrom(sha256Hex(`${seed}:id:${count++}`))}`,
    secret: () => sha256Hex(`${seed}:secret:${count++}`)
  }
}

const uuidFrom = (hex: string): string => {
  const variant = "89ab"[Number.parseInt(hex[16]!, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * Draws the seed of a request once. `plan` names the ids needed before the transaction (the lock keys of new rows),
 * `attempt` those created inside it.
 */
export const idSeed: Effect.Effect<(label: "plan" | "attempt") => IdStream, never, SecureRandom.SecureRandom> =
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const seed = Buffer.from(yield* random.randomBytes(32)).toString("hex")
    return (label) => streamFrom(`${seed}:${label}`)
  })
