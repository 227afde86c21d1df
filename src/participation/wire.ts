/** The two operations of a participation assistant, and the shape of an item. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { AssistantBearer } from "./bearer.ts"
import { itemStates } from "./item.ts"

/** An item contains the task, and nothing of its project or organization. */
export const itemFields = {
  id: Schema.String,
  title: Schema.String,
  instructions: Schema.String,
  dueAt: Schema.NullOr(Instant),
  state: Schema.Literals(itemStates),
  acceptedAt: Instant
}

const noteFields = { sequence: Schema.Int, text: Schema.String, at: Instant }

export const ParticipationNote = Schema.Struct(noteFields).annotate({ identifier: "ParticipationNote" })

export const ParticipationItem = Schema.Struct({
  ...itemFields,
  notes: Schema.Array(ParticipationNote)
}).annotate({ identifier: "ParticipationItem" })

export const AddedNote = Schema.Struct({
  ...noteFields,
  replayed: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "AddedNote" })

export const AddNote = Schema.Struct({ requestId: UuidV4, text: textUpTo(limits.textCharacters) }).annotate({
  identifier: "AddNote"
})

export class Participation extends HttpApiGroup.make("participation", { topLevel: true })
  .add(
    HttpApiEndpoint.get("readItem", "/item", { success: ParticipationItem }).annotateMerge(
      titled("Read the item of this credential with its notes")
    ),
    HttpApiEndpoint.post("addNote", "/item/notes", {
      payload: AddNote,
      success: AddedNote.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.requestId, "NOTE_LIMIT")
    }).annotateMerge(titled("Add a note, which is shown to people as untrusted"))
  )
  .middleware(StrictBody)
  .middleware(AssistantBearer)
  .prefix("/api/participation") {}
