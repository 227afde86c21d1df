/** Public files for verifiers: the issuer's public keys, and the schemas of its records. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Signer } from "../ports/signer.ts"
import { jwkSet, jwkSetMediaType } from "../records/jwk-set.ts"
import { formatNames, schemaDocument, type FormatName } from "./schemas.ts"

const issuerKeys = HttpRouter.add(
  "GET",
  "/.well-known/service-issuer-keys.json",
  Effect.map(Signer, ({ keys }) => HttpServerResponse.jsonUnsafe(keys))
)

/** Cached for at most a minute: a new key is available soon after its first signature. */
const issuerJwkSet = HttpRouter.add(
  "GET",
  "/.well-known/jwks.json",
  Effect.map(Signer, ({ keys }) =>
    HttpServerResponse.text(JSON.stringify(jwkSet(keys)), {
      contentType: jwkSetMediaType,
      headers: { "cache-control": "public, max-age=60" }
    })
  )
)

/** Generated lazily and cached: few processes serve a schema. */
const schema = (name: FormatName) =>
  Layer.unwrap(
    Effect.map(Effect.cached(Effect.sync(() => schemaResponse(name))), (response) =>
      HttpRouter.add("GET", `/.well-known/${name}.schema.json`, response)
    )
  )

const schemaResponse = (name: FormatName) =>
  HttpServerResponse.text(JSON.stringify(schemaDocument(name)), {
    contentType: "application/schema+json",
    headers: { "cache-control": "public, max-age=86400" }
  })

export const wellKnownRoutes = Layer.mergeAll(issuerKeys, issuerJwkSet, ...formatNames.map(schema))
