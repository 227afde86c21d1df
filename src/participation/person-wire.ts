/** Operations of people on participation: invite, accept, read, end, and the assistant's credential. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { nextPage } from "../http/next-page.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { InvitationCode, MadeInvitation } from "../people/wire.ts"
import { forPeople } from "../people/session-authentication.ts"
import { ProjectPath } from "../projects/answer.ts"
import { idOf, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { itemFields, ParticipationNote } from "./wire.ts"

const ItemPath = { itemId: idOf("item") }
const AfterItem = { after: Schema.optionalKey(ItemPath.itemId) }

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

const endOfItem = <const Name extends string, S extends Schema.Top, const Codes extends ReadonlyArray<RefusalCode>>(
  name: Name,
  path: `/${string}`,
  success: S,
  summary: string,
  codes: Codes
) =>
  HttpApiEndpoint.post(name, `/items/:itemId${path}`, {
    params: ItemPath,
    success,
    error: refuses(...codes)
  }).annotateMerge(titled(summary))

export class Items extends HttpApiGroup.make("items", { topLevel: true })
  .add(
    HttpApiEndpoint.post("inviteParticipant", "/projects/:id/participation-invitations", {
      params: ProjectPath,
      payload: InviteParticipant,
      success: MadeInvitation.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.person,
        ...checks.requestId,
        ...checks.recordedSide,
        ...checks.recoveredSecret,
        "STATE_CONFLICT"
      )
    }).annotateMerge(titled("Invite a person to a task on the project")),
    HttpApiEndpoint.get("listProjectItems", "/projects/:id/items", {
      params: ProjectPath,
      query: AfterItem,
      success: Schema.Struct({ items: Schema.Array(GivenItem), next: nextPage }),
      error: refuses(...checks.person)
    }).annotateMerge(
      titled(
        `List the tasks that the person's side of a project has given, newest first, ${limits.entriesListed} on a page`
      )
    ),
    HttpApiEndpoint.post("acceptParticipation", "/invitations/accept-participation", {
      payload: Schema.Struct({ code: InvitationCode }),
      success: OwnItem.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, ...checks.recordedSide, "INVITATION_UNKNOWN")
    }).annotateMerge(titled("Accept the task of an invitation")),
    HttpApiEndpoint.get("listItems", "/items", {
      query: AfterItem,
      success: Schema.Struct({ items: Schema.Array(OwnItem), next: nextPage })
    }).annotateMerge(
      titled(`List the tasks that the person has accepted, newest first, ${limits.entriesListed} on a page`)
    ),
    HttpApiEndpoint.get("readItemWithNotes", "/items/:itemId", {
      params: ItemPath,
      success: ItemWithNotes,
      error: refuses("UNKNOWN_PARTY")
    }).annotateMerge(titled("Read one task with its notes")),
    endOfItem("finishItem", "/done", OwnItem, "Finish a task and end its assistant", ["ITEM_ENDED", "UNKNOWN_PARTY"]),
    endOfItem("withdrawItem", "/withdraw", GivenItem, "Withdraw a task that the person's side has given", [
      ...checks.person,
      "ITEM_ENDED",
      "UNKNOWN_PARTY"
    ]),
    HttpApiEndpoint.post("createAssistant", "/items/:itemId/credentials", {
      params: ItemPath,
      payload: Schema.Struct({ requestId: UuidV4 }),
      success: AssistantCredential.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.requestId, "ITEM_ENDED", "SECRET_ALREADY_SHOWN", "UNKNOWN_PARTY")
    }).annotateMerge(titled("Issue the assistant's credential for this task, replacing an earlier one")),
    endOfItem("endAssistant", "/credentials/end", OwnItem, "End the assistant's credential", ["UNKNOWN_PARTY"])
  )
  .pipe(forPeople) {}
