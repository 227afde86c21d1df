/** The exports of a project (4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Bearer } from "../access/bearer.ts"
import { BodyBytes, StrictBody } from "../http/body.ts"
import { exportErrors, writeErrors } from "../http/errors.ts"
import { states } from "../projects/project.ts"
import { ProjectPath } from "../projects/wire.ts"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { reliances } from "./status.ts"

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

const UnsignedMetadata = Schema.Struct({
  label: Schema.Literal("UNSIGNED_AGENT_METADATA_NOT_VERIFIED"),
  projectId: Schema.String,
  agreementDigest: Schema.String,
  agreementVersion: Schema.Int,
  confirmationId: Schema.String,
  recordId: Schema.String,
  recordDigest: Schema.String,
  issuedAt: Schema.String,
  state: Schema.Literals(states),
  reliance: Schema.Literals(reliances)
}).annotate({ identifier: "UnsignedMetadata", description: "Nobody signed this: only the record proves anything." })

const record = Schema.String.annotate({ description: "The Result Record as it was issued, as compact JWS." })

export const AgentRecord = Schema.Struct({
  record,
  metadata: UnsignedMetadata,
  externalAssertions: Schema.Array(
    Schema.Struct({
      kind: Schema.Literal("BASELINE"),
      statement: Schema.String,
      declaredBy: Schema.String.annotate({ description: "The person who committed the agreement for the buyer." }),
      status: Schema.Literal("DECLARED")
    })
  )
}).annotate({ identifier: "AgentRecord" })

export const LegacyExport = Schema.Struct({
  schema: Schema.Literal("service.standard-record/v1"),
  record,
  metadata: UnsignedMetadata
}).annotate({ identifier: "LegacyExport" })

export class Records extends HttpApiGroup.make("records", { topLevel: true })
  .add(
    HttpApiEndpoint.get("readRecord", "/projects/:id/record", {
      params: ProjectPath,
      success: AgentRecord,
      error: exportErrors
    }).annotateMerge(OpenApi.annotations({ summary: "The issued record, with unsigned metadata" })),
    HttpApiEndpoint.post("exportStandardRecord", "/projects/:id/exports/standard-record", {
      params: ProjectPath,
      success: LegacyExport,
      error: writeErrors
    })
      .annotate(BodyBytes, limits.exportRequestBytes)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Export the issued record alone, in a stable envelope",
          description: "Takes no body; an empty object counts as none, anything else is refused."
        })
      ),
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
