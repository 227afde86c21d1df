/** The cursor of the list of disclosed publications: sealed, since it can name a publication that is not disclosed. */
import { Effect, Schema } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { idOf } from "../vocabulary/ids.ts"
import { isInstant, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"

/** The position of a publication in the list. */
export interface ListPosition {
  readonly completionTime: Instant
  readonly publicationId: string
}

export const encodeCursor = Effect.fnUntraced(function* ({ completionTime, publicationId }: ListPosition) {
  const secrets = yield* Secrets
  return yield* secrets.seal("CURSOR", `${completionTime} ${publicationId}`)
})

export const decodeCursor = Effect.fnUntraced(function* (cursor: string) {
  const secrets = yield* Secrets
  const [completionTime = "", publicationId = ""] = (secrets.open("CURSOR", cursor) ?? "").split(" ")
  if (isInstant(completionTime) && isPublicationId(publicationId)) {
    return { completionTime, publicationId } satisfies ListPosition
  }
  return yield* refuse("INVALID_REQUEST", {
    issues: [{ path: "after", message: "must be a `next` cursor of this list" }]
  })
})

const isPublicationId = Schema.is(idOf("pub"))
