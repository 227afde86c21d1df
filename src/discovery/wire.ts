/** The public operations on specifications, without a credential (4.2). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { titled } from "../http/titled.ts"
import { Digest } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import { contentFields, SpecificationId, SpecificationVersion } from "./input.ts"
import { specificationSchema } from "./specification.ts"

export const Specification = Schema.Struct({
  schema: Schema.Literals([specificationSchema]),
  version: SpecificationVersion,
  ...contentFields,
  digest: Digest.annotate({
    description: "SHA-256 over the canonical form (RFC 8785) of this object without `digest`."
  })
}).annotate({ identifier: "Specification" })

export const FoundSpecifications = Schema.Struct({
  specifications: Schema.Array(
    Schema.Struct({
      id: SpecificationId,
      version: SpecificationVersion,
      title: Schema.String,
      summary: Schema.String,
      digest: Digest
    }).annotate({ identifier: "FoundSpecification" })
  ),
  next: Schema.NullOr(Schema.String.annotate({ description: "Send it as `after` with the same `q`." }))
}).annotate({ identifier: "FoundSpecifications" })

/** Canonical decimal notation only, so that a version has one address. */
const VersionInPath = Schema.String.check(
  Schema.isPattern(/^[1-9][0-9]{0,14}$/u, { expected: "a whole number from 1" })
)

export class Discovery extends HttpApiGroup.make("discovery", { topLevel: true })
  .add(
    HttpApiEndpoint.get("searchSpecifications", "/discover", {
      query: {
        q: textUpTo(limits.searchCharacters),
        after: Schema.optionalKey(textUpTo(limits.titleCharacters))
      },
      success: FoundSpecifications
    }).annotateMerge(
      titled(
        "Search public specifications",
        "The newest version of each specification in which every word of `q` is the prefix of a word of title or summary, ignoring case. Title matches come first, then by id; 20 per page."
      )
    ),
    HttpApiEndpoint.get("readSpecification", "/discover/specifications/:id/versions/:version", {
      params: { id: SpecificationId, version: VersionInPath },
      success: [Specification, HttpApiSchema.Empty(304)]
    }).annotateMerge(
      titled(
        "One version of a specification, which never changes",
        "The digest is the entity tag too; a copy may be kept for good."
      )
    )
  )
  .middleware(StrictBody)
  .prefix("/api") {}
