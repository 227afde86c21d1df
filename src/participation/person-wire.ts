/** Operations of people on participation: invite, accept, read, end, and the assistant's credential. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { InvitationCode, MadeInvitation } from "../people/wire.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import { ProjectPath } from "../projects/wire.ts"
import { idOf, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import { itemFields, ParticipationNote } from "./wire.ts"

const titled = (summary: string) => OpenApi.annotations({ summary })

const ItemPath = { itemId: idOf("item") }

export const OwnItem = Schema.Struct({ ...itemFields, noteCount: Schema.Int }).annotate({ identifier: "OwnItem" })

/** An item with the person who accepted it, for the inviting side. */
export const GivenItem = Schema.Struct({
  ...itemFields,
  noteCount: Schema.Int,
  person: Schema.Struct({ personId: Schema.String, name: Schema.String })
}).annotate({ identifier: "GivenItem" })

/** Notes are untrusted text of a program; pages must label them as such. */
export const ItemWithNotes = Schema.Struct({
  ...GivenItem.fields,
  notes: Schema.Array(ParticipationNote),
  isOwn: Schema.Boolean,
  /** The expiry of the own assistant's live credential; null if there is none. */
  assistantUntil: Schema.NullOr(Instant)
}).annotate({ identifier: "ItemWithNotes" })

/** The only response that contains an assistant's token. */
export const AssistantCredential = Schema.Struct({
  token: Schema.String,
  itemId: Schema.String,
  expiresAt: Instant
}).annotate({ identifier: "AssistantCredential" })

const InviteParticipant = Schema.Struct({
  requestId: UuidV4,
  title: textUpTo(limits.titleCharacters),
  instructions: textUpTo(limits.instructionsCharacters),
  dueAt: Schema.NullOr(Instant)
}).annotate({ identifier: "InviteParticipant" })

const endOfItem = <const Name extends string, S extends Schema.Top>(
  name: Name,
  path: `/${string}`,
  success: S,
  summary: string
) => HttpApiEndpoint.post(name, `/items/:itemId${path}`, { params: ItemPath, success }).annotateMerge(titled(summary))

export class Items extends HttpApiGroup.make("items", { topLevel: true })
  .add(
    HttpApiEndpoint.post("inviteParticipant", "/projects/:id/participation-invitations", {
      params: ProjectPath,
      payload: InviteParticipant,
      success: MadeInvitation.pipe(HttpApiSchema.status(201))
    }).annotateMerge(titled("Invite a person to a task on the project")),
    HttpApiEndpoint.get("listProjectItems", "/projects/:id/items", {
      params: ProjectPath,
      success: Schema.Struct({ items: Schema.Array(GivenItem) })
    }).annotateMerge(titled("List the tasks that the person's side of a project has given")),
    HttpApiEndpoint.post("acceptParticipation", "/invitations/accept-participation", {
      payload: Schema.Struct({ code: InvitationCode }),
      success: OwnItem.pipe(HttpApiSchema.status(201))
    }).annotateMerge(titled("Accept the task of an invitation")),
    HttpApiEndpoint.get("listItems", "/items", {
      success: Schema.Struct({ items: Schema.Array(OwnItem) })
    }).annotateMerge(titled("List the tasks that the person has accepted")),
    HttpApiEndpoint.get("readItemWithNotes", "/items/:itemId", {
      params: ItemPath,
      success: ItemWithNotes
    }).annotateMerge(titled("Read one task with its notes")),
    endOfItem("finishItem", "/done", OwnItem, "Finish a task and end its assistant"),
    endOfItem("withdrawItem", "/withdraw", GivenItem, "Withdraw a task that the person's side has given"),
    HttpApiEndpoint.post("createAssistant", "/items/:itemId/credentials", {
      params: ItemPath,
      payload: Schema.Struct({ requestId: UuidV4 }),
      success: AssistantCredential.pipe(HttpApiSchema.status(201))
    }).annotateMerge(titled("Issue the assistant's credential for this task, replacing an earlier one")),
    endOfItem("endAssistant", "/credentials/end", OwnItem, "End the assistant's credential")
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/workspace") {}
