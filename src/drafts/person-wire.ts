/** The operations of people on drafts of their organizations: read, write, finish and discard. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { roles } from "../access/actions.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { OrganizationId } from "../people/wire.ts"
import { forPeople } from "../people/session-authentication.ts"
import { PersonProjectView } from "../projects/output.ts"
import { creationFields, datesInOrder } from "../projects/input.ts"
import { idOf, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { DraftContent } from "./content.ts"
import { draftStates } from "./draft.ts"

const DraftPath = { id: idOf("draft") }

/** The `revision` of the last read: optimistic concurrency, so that no concurrent change is overwritten. */
const Revision = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

const draftFields = {
  draftId: Schema.String,
  organizationId: Schema.String,
  role: Schema.Literals(roles),
  state: Schema.Literals(draftStates),
  preparedBy: Schema.Struct({
    personId: Schema.String,
    name: Schema.String,
    agentName: Schema.NullOr(Schema.String)
  }),
  createdAt: Instant,
  changedAt: Instant,
  outcomeId: Schema.NullOr(Schema.String),
  humanUrl: Schema.String
}

/** A draft in a list. */
export const OwnDraft = Schema.Struct({ ...draftFields, title: Schema.NullOr(Schema.String) }).annotate({
  identifier: "OwnDraft"
})

export const DraftView = Schema.Struct({
  ...draftFields,
  revision: Schema.Int,
  content: DraftContent,
  missing: Schema.Array(Schema.String).annotate({
    description: "The fields that an agreement or a proposal needs and this draft lacks."
  }),
  replayed: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "Draft" })

export class DraftsGroup extends HttpApiGroup.make("drafts", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listDrafts", "/drafts", {
      success: Schema.Struct({ drafts: Schema.Array(OwnDraft) })
    }).annotateMerge(titled(`The newest ${limits.draftsListed} drafts that this person may handle, newest first`)),
    HttpApiEndpoint.post("createDraft", "/drafts", {
      payload: Schema.Struct({
        requestId: UuidV4,
        organizationId: OrganizationId,
        role: Schema.Literals(roles),
        content: DraftContent
      }).annotate({ identifier: "PersonDraft" }),
      success: DraftView.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, ...checks.requestId, ...checks.pinnedSpecification)
    }).annotateMerge(titled("Create a draft, empty or with content")),
    HttpApiEndpoint.get("readDraft", "/drafts/:id", {
      params: DraftPath,
      success: DraftView,
      error: refuses(...checks.person)
    }).annotateMerge(titled("Read one draft with its missing fields")),
    HttpApiEndpoint.post("saveDraft", "/drafts/:id/save", {
      params: DraftPath,
      payload: Schema.Struct({ requestId: UuidV4, revision: Revision, content: DraftContent }).annotate({
        identifier: "SaveDraft"
      }),
      success: DraftView,
      error: refuses(...checks.draft, ...checks.requestId, ...checks.pinnedSpecification)
    }).annotateMerge(titled("Replace the content of a draft")),
    HttpApiEndpoint.post("discardDraft", "/drafts/:id/discard", {
      params: DraftPath,
      payload: Schema.Struct({ requestId: UuidV4, revision: Revision }).annotate({ identifier: "DiscardDraft" }),
      success: DraftView,
      error: refuses(...checks.draft, ...checks.requestId)
    }).annotateMerge(titled("Discard a draft")),
    HttpApiEndpoint.post("commitDraft", "/drafts/:id/commit", {
      params: DraftPath,
      payload: Schema.Struct({ requestId: UuidV4, revision: Revision, ...creationFields })
        .check(datesInOrder)
        .annotate({ identifier: "CommitDraft" }),
      success: PersonProjectView.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.draft, ...checks.requestId, ...checks.newAgreement)
    }).annotateMerge(titled("Commit a buyer's draft as an agreement, on exactly these terms"))
  )
  .pipe(forPeople) {}
