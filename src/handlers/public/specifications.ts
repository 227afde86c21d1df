/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PublicApi } from "../../api/public.ts"
import { readSpecification } from "../../discovery/read.ts"
import { searchSpecifications } from "../../discovery/search.ts"
import { viewSpecification } from "../../discovery/view.ts"

export const discoveryHandlers = HttpApiBuilder.group(PublicApi, "discovery", (handlers) =>
  handlers.handleAll({
    searchSpecifications: ({ query }) => searchSpecifications(query),
    readSpecification: ({ params: { id, version } }) =>
      Effect.flatMap(readSpecification(id, Number(version)), (found) => withCacheHeaders(viewSpecification(found)))
  })
)

/** Versions are immutable: clients and proxies may cache them, and a matching entity tag gets 304. */
const withCacheHeaders = Effect.fnUntraced(function* (specification: ReturnType<typeof viewSpecification>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const etag = `"${specification.digest}"`
  const headers = { etag, "cache-control": "public, max-age=31536000, immutable" }
  const knownTags = (request.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  return knownTags.includes(etag) || knownTags.includes("*")
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.jsonUnsafe(specification, { headers })
})
