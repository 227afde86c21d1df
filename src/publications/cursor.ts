/** The cursor of the list of disclosed publications: opaque to clients. */
import { Effect, Schema } from "effect"
import { fromBase64url, toBase64url } from "../canonical/base64url.ts"
import { idOf } from "../vocabulary/ids.ts"
import { isInstant, type Instant } from "../vocabulary/instant.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"

/** The place of a publication in the list. */
export interface ListPlace {
  readonly completionTime: Instant
  readonly publicationId: string
}

export const encodePlace = ({ completionTime, publicationId }: ListPlace): string =>
  toBase64url(`${completionTime} ${publicationId}`)

export const decodePlace = (cursor: string): Effect.Effect<ListPlace, Refusal<"INVALID_REQUEST">> => {
  const [completionTime = "", publicationId = ""] = new TextDecoder().decode(fromBase64url(cursor)).split(" ")
  const isPlace = isInstant(completionTime) && isPublicationId(publicationId)
  return isPlace && encodePlace({ completionTime, publicationId }) === cursor
    ? Effect.succeed({ completionTime, publicationId })
    : refuse("INVALID_REQUEST", { issues: [{ path: "after", message: "must be a `next` cursor of this list" }] })
}

const isPublicationId = Schema.is(idOf("pub"))
