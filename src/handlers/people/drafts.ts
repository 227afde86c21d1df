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
    listDrafts: () => asPerson((by) => Effect.map(listDrafts(by), (drafts) => ({ drafts }))),
    createDraft: (sent) => asPersonRequest(sent, (by, request) => createDraftAsPerson(by, request, sent.payload)),
    readDraft: ({ params }) => asPerson((by) => readDraftAsPerson(by, params.id)),
    saveDraft: (sent) =>
      asPersonRequest(sent, (by, request) => saveDraft(by, request, { draftId: sent.params.id, ...sent.payload })),
    discardDraft: (sent) =>
      asPersonRequest(sent, (by, request) => discardDraft(by, request, { draftId: sent.params.id, ...sent.payload })),
    commitDraft: (sent) =>
      asPersonRequest(sent, (by, request) =>
        // Terms within the limit of a request body leave room for the first event.
        commitDraft(by, request, { draftId: sent.params.id, ...sent.payload }).pipe(
          neverRefused("DELIVERY_HISTORY_LIMIT_REACHED")
        )
      )
  })
)
