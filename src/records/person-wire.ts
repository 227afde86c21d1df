/** The operations of people on records: read credits, share a record, open a shared record. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { roles } from "../access/actions.ts"
import { nextPage } from "../http/next-page.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { OrganizationId } from "../people/wire.ts"
import { forPeople } from "../people/session-authentication.ts"
import { states } from "../projects/project.ts"
import { ProjectPath } from "../projects/answer.ts"
import { idOf, PersonId, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { reliances } from "./status.ts"

/** The operator grants credits, and each issued record consumes one. */
export const Credits = Schema.Struct({
  organizationId: Schema.String,
  balance: Schema.Int,
  entries: Schema.Array(
    Schema.Struct({
      sequence: Schema.Int,
      change: Schema.Int,
      balance: Schema.Int,
      reference: Schema.String,
      confirmationId: Schema.NullOr(Schema.String),
      at: Instant
    })
  )
}).annotate({ identifier: "Credits" })

const Before = Schema.NumberFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
).annotate({
  description: "Entries with a lower sequence only: send the last sequence of the previous page."
})

const NamedPerson = Schema.Struct({ personId: Schema.String, name: Schema.String })

const sharedFields = {
  shareId: Schema.String,
  recipient: Schema.String.annotate({ description: "One of the agreement's `sharingRecipients`." }),
  sharedBy: NamedPerson,
  sharedAt: Instant
}

export const RecordShare = Schema.Struct({
  ...sharedFields,
  projectId: Schema.String,
  side: Schema.Literals(roles),
  recipientActor: NamedPerson,
  url: Schema.String.annotate({ description: "Opens the record for that person alone, once they are signed in." }),
  openingCount: Schema.Int,
  revokedAt: Schema.NullOr(Instant),
  revokedBy: Schema.NullOr(Schema.String),
  replayed: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "RecordShare" })

export const RecordShareWithOpenings = Schema.Struct({
  ...RecordShare.fields,
  openings: Schema.Array(Schema.Struct({ sequence: Schema.Int, state: Schema.Literals(states), at: Instant })).annotate(
    { description: `The newest ${limits.openingsListed}, with the state that was shown.` }
  )
}).annotate({ identifier: "RecordShareWithOpenings" })

/** A share in its recipient's list; opening it shows the record. */
export const SharedRecord = Schema.Struct({ ...sharedFields, url: Schema.String }).annotate({
  identifier: "SharedRecord"
})

const Party = { actorId: Schema.NullOr(Schema.String), name: Schema.String }
const Named = Schema.Struct({ id: Schema.String, digest: Schema.String })

export const OpenedRecord = Schema.Struct({
  ...sharedFields,
  record: Schema.String.annotate({ description: "The Result Record as it was issued, as compact JWS." }),
  facts: Schema.Struct({
    recordId: Schema.String,
    issuer: Schema.String,
    environment: Schema.String,
    issuedAt: Instant,
    acceptedAt: Instant,
    agreement: Schema.Struct({ digest: Schema.String, version: Schema.Int }),
    parties: Schema.Struct({
      buyer: Schema.Struct({ organizationId: Schema.String, ...Party }),
      supplier: Schema.Struct(Party)
    }),
    submission: Named,
    review: Named,
    confirmation: Schema.Struct({ id: Schema.String })
  }).annotate({ description: "The contents of the record, decoded from it." }),
  current: Schema.Struct({
    state: Schema.Literals(states),
    reliance: Schema.Literals(reliances).annotate({
      description: "CURRENT; PAUSED while the confirmation is contested; STOPPED once it is withdrawn or superseded."
    }),
    at: Instant
  })
}).annotate({ identifier: "OpenedRecord" })

const ShareRecord = Schema.Struct({
  requestId: UuidV4,
  recipient: textUpTo(limits.titleCharacters),
  recipientActorId: PersonId
}).annotate({ identifier: "ShareRecord" })

const SharePath = { shareId: idOf("share") }

export class SharedRecords extends HttpApiGroup.make("sharedRecords", { topLevel: true })
  .add(
    HttpApiEndpoint.get("readCredits", "/organizations/:organizationId/credits", {
      params: { organizationId: OrganizationId },
      query: { before: Schema.optionalKey(Before) },
      success: Credits,
      error: refuses(...checks.person)
    }).annotateMerge(titled("The balance of result credits, and the newest ledger entries")),
    HttpApiEndpoint.post("shareRecord", "/projects/:id/record-shares", {
      params: ProjectPath,
      payload: ShareRecord,
      success: RecordShare.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.person,
        ...checks.requestId,
        "ALREADY_EXISTS",
        "RECIPIENT_NOT_NAMED",
        "RESULT_NOT_ISSUED",
        "SAME_PARTY",
        "SHARE_LIMIT",
        "STATE_CONFLICT",
        "UNKNOWN_PARTY"
      )
    }).annotateMerge(titled("Share the issued record with one person, for a recipient that the agreement names")),
    HttpApiEndpoint.get("listShares", "/projects/:id/record-shares", {
      params: ProjectPath,
      success: Schema.Struct({ shares: Schema.Array(RecordShareWithOpenings) }),
      error: refuses(...checks.person)
    }).annotateMerge(titled("The shares of both sides, and when each was opened")),
    HttpApiEndpoint.post("revokeShare", "/projects/:id/record-shares/:shareId/revoke", {
      params: { ...ProjectPath, ...SharePath },
      payload: Schema.Struct({ requestId: UuidV4 }),
      success: RecordShare,
      error: refuses(...checks.person, ...checks.requestId)
    }).annotateMerge(titled("Revoke a share of this person's side")),
    HttpApiEndpoint.get("listSharedRecords", "/shared-records", {
      query: { after: Schema.optionalKey(SharePath.shareId) },
      success: Schema.Struct({ records: Schema.Array(SharedRecord), next: nextPage })
    }).annotateMerge(
      titled(
        `The records that others share with this person, newest first, at most ${limits.entriesListed} on a page; a page before the last may have fewer or none`
      )
    ),
    HttpApiEndpoint.post("openSharedRecord", "/shared-records/:shareId/open", {
      params: SharePath,
      success: OpenedRecord,
      error: refuses("SHARE_LIMIT")
    }).annotateMerge(titled("Open a shared record; each opening is recorded"))
  )
  .pipe(forPeople) {}
