/** All operations of the agent API: the source of its routes and of its OpenAPI document. */
import { HttpApi, OpenApi } from "effect/http-api"
import { Capabilities, Connections, Me } from "../access/wire.ts"
import { PreparedDraftsGroup } from "../drafts/wire.ts"
import { RequestGuard } from "../http/request-guard.ts"
import { JobsGroup } from "../jobs/wire.ts"
import { Participation } from "../participation/wire.ts"
import { Acceptance, ProjectsGroup } from "../projects/wire.ts"
import { ProposalsGroup } from "../proposals/wire.ts"
import { Records } from "../records/wire.ts"
import { apiVersion } from "../vocabulary/version.ts"
import { Webhooks } from "../webhooks/wire.ts"

export class Api extends HttpApi.make("countersign")
  .add(Capabilities)
  .add(Connections)
  .add(Me)
  .add(Acceptance)
  .add(PreparedDraftsGroup)
  .add(ProjectsGroup)
  .add(ProposalsGroup)
  .add(JobsGroup)
  .add(Webhooks)
  .add(Records)
  .add(Participation)
  // Added last, so that it wraps every other middleware.
  .middleware(RequestGuard)
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Countersign agent API",
      version: apiVersion,
      description:
        "Agreements between a buyer and a named supplier, deliveries as digests, decisions criterion by criterion, and records that verify offline."
    })
  ) {}
