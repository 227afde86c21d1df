/** The selected specification, sealed in a cookie until the person has signed in and started the draft. */
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { HttpServerResponse } from "effect/http"
import { SpecificationId, SpecificationVersion } from "../../discovery/input.ts"
import type { StoredVersion } from "../../discovery/read.ts"
import { Digest, UuidV4 } from "../../vocabulary/ids.ts"
import { addMilliseconds, Instant, now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { sealedCookie } from "../kit/sealed-cookie.ts"

export const fromSpecificationPath = "/workspace/drafts/from-specification"

const Sealed = Schema.Struct({
  handoffId: UuidV4,
  specification: Schema.Struct({ id: SpecificationId, version: SpecificationVersion, digest: Digest }),
  endsAt: Instant
})

const cookie = sealedCookie("specification", Sealed, { lifetime: limits.handoffLifetime })

/** Each handoff has an id: it starts one draft. */
export const beginHandoff = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  { document: { id, version }, digest }: StoredVersion
) {
  const random = yield* SecureRandom.SecureRandom
  return yield* cookie.keep(response, {
    handoffId: yield* random.uuidV4(),
    specification: { id, version, digest },
    endsAt: addMilliseconds(yield* currentTime, limits.handoffLifetime)
  })
})

/** Undefined where the cookie is absent, expired or not authentic. */
export const storedHandoff = cookie.read
