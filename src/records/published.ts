/** What a verifier can fetch from the site: the issuer's public keys, and the schemas of its records. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Signer } from "../ports/signer.ts"
import { resultPackageSchema, resultReviewSchema } from "./schemas.ts"

const issuerKeys = HttpRouter.add(
  "GET",
  "/.well-known/service-issuer-keys.json",
  Effect.map(Signer, ({ keys }) => HttpServerResponse.jsonUnsafe(keys))
)

const schema = (document: { readonly $id: string }) =>
  HttpRouter.add("GET", `/.well-known/${document.$id}`, HttpServerResponse.jsonUnsafe(document))

export const published = Layer.mergeAll(issuerKeys, schema(resultPackageSchema), schema(resultReviewSchema))
