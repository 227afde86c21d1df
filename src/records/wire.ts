/** The exports of a project (4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Bearer } from "../access/bearer.ts"
import { BodyBytes, StrictBody } from "../http/body.ts"
import { writeErrors } from "../http/errors.ts"
import { ProjectPath } from "../projects/wire.ts"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"

const ExportRequest = Schema.Struct({
  expectedAgreementDigest: Digest,
  expectedEventHash: Digest,
  nonce: UuidV4
}).annotate({ identifier: "ExportRequest" })

export const ResultReview = Schema.Struct({
  schema: Schema.Literal("service.result-review/v1"),
  record: Schema.String.annotate({ description: "A Result Package v2 as compact JWS." }),
  trust: Schema.Struct({
    schema: Schema.Literal("service.issuer-key-bundle/v1"),
    issuer: Schema.String,
    environment: Schema.String,
    keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
  }),
  status: Schema.String.annotate({ description: "A service.agent-status/v1 as compact JWS." })
}).annotate({ identifier: "ResultReview" })

export class Records extends HttpApiGroup.make("records", { topLevel: true })
  .add(
    HttpApiEndpoint.post("exportResultPackage", "/projects/:id/exports/result-package", {
      params: ProjectPath,
      payload: ExportRequest,
      success: ResultReview,
      error: writeErrors
    })
      .annotate(BodyBytes, limits.exportRequestBytes)
      .annotateMerge(OpenApi.annotations({ summary: "Export the issued result as a signed package" })),
    HttpApiEndpoint.post("projectStatus", "/projects/:id/status", {
      params: ProjectPath,
      payload: Schema.Struct({ nonce: UuidV4 }),
      success: Schema.Struct({ status: Schema.String }).annotate({ identifier: "AgentStatus" }),
      error: writeErrors
    }).annotateMerge(OpenApi.annotations({ summary: "The current status, signed for this nonce" }))
  )
  .middleware(StrictBody)
  .middleware(Bearer)
  .prefix("/api/agents/v1") {}
