/** Reads the parameters of a page's URL: the id in its path, and its query. */
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { idOf, type IdKind } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"

/** The id in this path parameter; anything else is refused with 404. */
export const pathId = (name: string, kind: IdKind) => {
  const isId = Schema.is(idOf(kind))
  return Effect.flatMap(HttpRouter.params, ({ [name]: id }) =>
    id !== undefined && isId(id) ? Effect.succeed(id) : refuse("NOT_FOUND")
  )
}

/** Reads a query parameter; undefined where it is absent or repeated. */
export const readQueryParameters = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
  const query = new URLSearchParams(queryText(url))
  return (name: string): string | undefined => {
    const [value, ...more] = query.getAll(name)
    return more.length === 0 ? value : undefined
  }
})

/** The raw query of a URL, without its question mark. */
export const queryText = (url: string): string => (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "")
