/** What people do about participation: they invite, accept, look, end, and give their assistant a credential. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { InvitationCode, MadeInvitation } from "../people/human-wire.ts"
import { HumanSession } from "../people/session.ts"
import { ProjectPath } from "../projects/wire.ts"
import { idOf, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import { itemFields, ParticipationNote } from "./wire.ts"

const titled = (summary: string) => OpenApi.annotations({ summary })

const ItemPath = { itemId: idOf("item") }

export const OwnItem = Schema.Struct({ ...itemFields, noteCount: Schema.Int }).annotate({ identifier: "OwnItem" })

/** An item as the side that invited sees it: with whoever accepted it. */
export const GivenItem = Schema.Struct({
  ...itemFields,
  noteCount: Schema.Int,
  person: Schema.Struct({ personId: Schema.String, name: Schema.String })
}).annotate({ identifier: "GivenItem" })

/** Notes are the word of somebody's program: whoever shows them says so. */
export const ItemWithNotes = Schema.Struct({
  ...GivenItem.fields,
  notes: Schema.Array(ParticipationNote),
  isOwn: Schema.Boolean,
  /** Until when the credential of the person's own assistant can live; null where none is live. */
  assistantUntil: Schema.NullOr(Instant)
}).annotate({ identifier: "ItemWithNotes" })

/** The only answer that ever carries an assistant's token. */
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
    }).annotateMerge(titled("Invite somebody to a task on the project")),
    HttpApiEndpoint.get("listProjectItems", "/projects/:id/items", {
      params: ProjectPath,
      success: Schema.Struct({ items: Schema.Array(GivenItem) })
    }).annotateMerge(titled("The tasks that the own side of a project has given")),
    HttpApiEndpoint.post("acceptParticipation", "/invitations/accept-participation", {
      payload: Schema.Struct({ code: InvitationCode }),
      success: OwnItem.pipe(HttpApiSchema.status(201))
    }).annotateMerge(titled("Take on the task of an invitation")),
    HttpApiEndpoint.get("listItems", "/items", {
      success: Schema.Struct({ items: Schema.Array(OwnItem) })
    }).annotateMerge(titled("The tasks that the person has taken on")),
    HttpApiEndpoint.get("readItemWithNotes", "/items/:itemId", {
      params: ItemPath,
      success: ItemWithNotes
    }).annotateMerge(titled("One task with its notes")),
    endOfItem("finishItem", "/done", OwnItem, "Be done with a task; its assistant ends with it"),
    endOfItem("withdrawItem", "/withdraw", GivenItem, "Take a task back that the own side has given"),
    HttpApiEndpoint.post("createAssistant", "/items/:itemId/credentials", {
      params: ItemPath,
      payload: Schema.Struct({ requestId: UuidV4 }),
      success: AssistantCredential.pipe(HttpApiSchema.status(201))
    }).annotateMerge(titled("Give an assistant a credential for this task alone, in the place of an earlier one")),
    endOfItem("endAssistant", "/credentials/end", OwnItem, "End the assistant's credential")
  )
  .middleware(StrictBody)
  .middleware(HumanSession)
  .prefix("/api/workspace") {}
