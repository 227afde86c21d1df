/** What the address of a page says beside its path: the id in it, and its query. */
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { idOf, type IdKind } from "../vocabulary/ids.ts"
import { refuse } from "../vocabulary/refusals.ts"

/** The id at this place of the path; an address with anything else there does not exist. */
export const pathId = (name: string, kind: IdKind) => {
  const isId = Schema.is(idOf(kind))
  return Effect.flatMap(HttpRouter.params, ({ [name]: given }) =>
    given !== undefined && isId(given) ? Effect.succeed(given) : refuse("NOT_FOUND")
  )
}

/** What the query says under a name, where it says it once. */
export const queryOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
  const query = new URLSearchParams(queryText(url))
  return (name: string): string | undefined => {
    const [value, ...more] = query.getAll(name)
    return more.length === 0 ? value : undefined
  }
})

/** The query of an address as it came, without its question mark. */
export const queryText = (url: string): string => (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "")
