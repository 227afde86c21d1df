/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { commitDraft } from "../../drafts/finish.ts"
import {
  createDraftAsPerson,
  discardDraft,
  listDrafts,
  readDraftAsPerson,
  saveDraft
} from "../../drafts/person-operations.ts"
import { neverRefused } from "../../vocabulary/refusals.ts"

export const draftHandlers = HttpApiBuilder.group(WorkspaceApi, "drafts", (handlers) =>
  handlers.handleAll({
    listDrafts: () => asPerson((by) => Effect.map(listDrafts(by), ({ drafts }) => ({ drafts }))),
    createDraft: ({ payload }) =>
      asPersonRequest({ operation: "createDraft", requestId: payload.requestId }, (by, request) =>
        createDraftAsPerson(by, request, payload)
      ),
    readDraft: ({ params }) => asPerson((by) => readDraftAsPerson(by, params.id)),
    saveDraft: ({ params, payload }) =>
      asPersonRequest({ operation: "saveDraft", pathIds: [params.id], requestId: payload.requestId }, (by, request) =>
        saveDraft(by, request, { draftId: params.id, ...payload })
      ),
    discardDraft: ({ params, payload }) =>
      asPersonRequest(
        { operation: "discardDraft", pathIds: [params.id], requestId: payload.requestId },
        (by, request) => discardDraft(by, request, { draftId: params.id, ...payload })
      ),
    commitDraft: ({ params, payload }) =>
      asPersonRequest({ operation: "commitDraft", pathIds: [params.id], requestId: payload.requestId }, (by, request) =>
        // Terms within the limit of a request body leave room for the first event.
        commitDraft(by, request, { draftId: params.id, ...payload }).pipe(
          neverRefused("DELIVERY_HISTORY_LIMIT_REACHED")
        )
      )
  })
)
