/** All operations of the agent API: the source of its routes and of its OpenAPI document. */
import { HttpApi } from "effect/http-api"
import { Capabilities, Connections, Me } from "../access/wire.ts"
import { PreparedDraftsGroup } from "../drafts/wire.ts"
import { JobsGroup } from "../jobs/wire.ts"
import { Participation } from "../participation/wire.ts"
import { Acceptance, ProjectsGroup } from "../projects/wire.ts"
import { ProposalsGroup } from "../proposals/wire.ts"
import { Records } from "../records/wire.ts"
import { Webhooks } from "../webhooks/wire.ts"
import { guarded } from "./guarded.ts"

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
  .pipe(
    guarded(
      "Countersign agent API",
      "Agreements between a buyer and a named supplier, deliveries as digests, decisions criterion by criterion, and records that verify offline."
    )
  ) {}
