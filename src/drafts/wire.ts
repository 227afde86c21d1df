/** The one operation of agents on drafts (4.3): agents prepare, people finish. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { forAgents } from "../access/bearer.ts"
import { BodyRule } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { draftStates } from "./draft.ts"
import { draftBodyIssues } from "./body-issues.ts"
import { CreateDraft } from "./input.ts"
import * as checks from "../vocabulary/shared-checks.ts"

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
      success: PreparedDraft.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.requestId,
        "FORBIDDEN_AGENT_ACTION",
        "DRAFT_LIMIT",
        "SPECIFICATION_DIGEST_MISMATCH",
        "SUBJECT_REQUIREMENTS_NOT_PRESERVED",
        "UNKNOWN_SPECIFICATION"
      )
    })
      .annotateMerge(titled("Prepare terms that a person completes; nothing is sent"))
      .annotate(BodyRule, draftBodyIssues)
  )
  .pipe(forAgents) {}
