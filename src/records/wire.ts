/** The exports of a project (4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { forAgents } from "../access/bearer.ts"
import { BodyBytes } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { ProjectPath } from "../projects/answer.ts"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { ResultReview as ResultReviewFile } from "./result-review.ts"
import { issuedRecord, StandardRecord, UnsignedMetadata } from "./standard-record.ts"

const ExportRequest = Schema.Struct({
  expectedAgreementDigest: Digest,
  expectedEventHash: Digest,
  nonce: UuidV4
}).annotate({ identifier: "ExportRequest" })

export const ResultReview = ResultReviewFile.annotate({ identifier: "ResultReview" })

export const AgentRecord = Schema.Struct({
  record: issuedRecord,
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

export const LegacyExport = StandardRecord.annotate({ identifier: "LegacyExport" })

export class Records extends HttpApiGroup.make("records", { topLevel: true })
  .add(
    HttpApiEndpoint.get("readRecord", "/projects/:id/record", {
      params: ProjectPath,
      success: AgentRecord,
      error: refuses(...checks.agentScope, "RESULT_NOT_ISSUED")
    }).annotateMerge(titled("The issued record, with unsigned metadata")),
    HttpApiEndpoint.post("exportStandardRecord", "/projects/:id/exports/standard-record", {
      params: ProjectPath,
      success: LegacyExport,
      error: refuses(...checks.agentScope, "RESULT_NOT_ISSUED")
    })
      .annotate(BodyBytes, limits.exportRequestBytes)
      .annotateMerge(
        titled(
          "Export the issued record alone, in a stable envelope",
          "Takes no body; an empty object counts as none, anything else is refused."
        )
      ),
    HttpApiEndpoint.post("exportResultPackage", "/projects/:id/exports/result-package", {
      params: ProjectPath,
      payload: ExportRequest,
      success: ResultReview,
      error: refuses(
        ...checks.agentScope,
        "AGREEMENT_DIGEST_MISMATCH",
        ...checks.signer,
        ...checks.signedHead,
        "RESULT_NOT_ISSUED",
        "STALE_EVENT_HEAD"
      )
    })
      .annotate(BodyBytes, limits.exportRequestBytes)
      .annotateMerge(titled("Export the issued result as a signed package")),
    HttpApiEndpoint.post("projectStatus", "/projects/:id/status", {
      params: ProjectPath,
      payload: Schema.Struct({ nonce: UuidV4 }),
      success: Schema.Struct({ status: Schema.String }).annotate({ identifier: "AgentStatus" }),
      error: refuses(...checks.agentScope, ...checks.signer, ...checks.signedHead)
    }).annotateMerge(titled("The current status, signed for this nonce"))
  )
  .pipe(forAgents) {}
