/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { Installation } from "../../ports/installation.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { readCredits } from "../../records/credits.ts"
import {
  viewCredits,
  viewOpenedRecord,
  viewShare,
  viewSharedRecord,
  viewShareWithOpenings
} from "../../records/person-view.ts"
import { listSharedRecords, openSharedRecord } from "../../records/shared-records.ts"
import { listShares, revokeShare, shareRecord } from "../../records/sharing.ts"

export const sharedRecordHandlers = HttpApiBuilder.group(WorkspaceApi, "sharedRecords", (handlers) =>
  handlers.handleAll({
    readCredits: ({ params, query }) =>
      asPerson((by) => Effect.map(readCredits(by, params.organizationId, query), viewCredits)),
    shareRecord: (sent) =>
      asPersonRequest(sent, (by, request) =>
        withSite(shareRecord(by, request, { projectId: sent.params.id, ...sent.payload }), viewShare)
      ),
    listShares: ({ params }) =>
      asPerson((by) =>
        withSite(listShares(by, params.id), (siteUrl, shares) => ({
          shares: shares.map((share) => viewShareWithOpenings(siteUrl, share))
        }))
      ),
    revokeShare: (sent) =>
      asPersonRequest(sent, (by, request) =>
        withSite(revokeShare(by, request, { projectId: sent.params.id, shareId: sent.params.shareId }), viewShare)
      ),
    listSharedRecords: ({ query: { after } }) =>
      asPerson((by) =>
        withSite(listSharedRecords(by, after), (siteUrl, { items, next }) => ({
          records: items.map((share) => viewSharedRecord(siteUrl, share)),
          next
        }))
      ),
    openSharedRecord: ({ params }) =>
      asPerson((by) => Effect.map(openSharedRecord(by, params.shareId), viewOpenedRecord))
  })
)

const withSite = <A, E, R, B>(operation: Effect.Effect<A, E, R>, view: (siteUrl: string, value: A) => B) =>
  Effect.flatMap(Installation, ({ siteUrl }) => Effect.map(operation, (value) => view(siteUrl, value)))
