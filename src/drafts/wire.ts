/** The one operation of agents on drafts (4.3): agents prepare, people finish. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Bearer } from "../access/bearer.ts"
import { BodyRule, StrictBody } from "../http/body.ts"
import { draftStates } from "./draft.ts"
import { draftBodyIssues } from "./body-issues.ts"
import { CreateDraft } from "./input.ts"

export const PreparedDraft = Schema.Struct({
  draftId: Schema.String,
  humanUrl: Schema.String,
  state: Schema.Literals(draftStates),
  replayed: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "PreparedDraft" })

export class PreparedDraftsGroup extends HttpApiGroup.make("preparedDrafts", { topLevel: true })
  .add(
    HttpApiEndpoint.post("prepareDraft", "/drafts", {
      payload: CreateDraft,
      success: PreparedDraft.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(OpenApi.annotations({ summary: "Prepare terms that a person completes; nothing is sent" }))
      .annotate(BodyRule, draftBodyIssues)
  )
  .middleware(StrictBody)
  .middleware(Bearer)
  .prefix("/api/agents/v1") {}
