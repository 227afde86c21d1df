/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answerPerson, answerRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { commitDraft } from "../../drafts/finish.ts"
import {
  createDraftAsPerson,
  discardDraft,
  listDrafts,
  readDraftAsPerson,
  saveDraft
} from "../../drafts/person-operations.ts"

export const draftHandlers = HttpApiBuilder.group(WorkspaceApi, "drafts", (handlers) =>
  handlers.handleAll({
    listDrafts: () => answerPerson((by) => Effect.map(listDrafts(by), ({ drafts }) => ({ drafts }))),
    createDraft: ({ payload }) =>
      answerRequest({ operation: "createDraft", requestId: payload.requestId }, (by, request) =>
        createDraftAsPerson(by, request, payload)
      ),
    readDraft: ({ params }) => answerPerson((by) => readDraftAsPerson(by, params.id)),
    saveDraft: ({ params, payload }) =>
      answerRequest({ operation: "saveDraft", pathIds: [params.id], requestId: payload.requestId }, (by, request) =>
        saveDraft(by, request, { draftId: params.id, ...payload })
      ),
    discardDraft: ({ params, payload }) =>
      answerRequest({ operation: "discardDraft", pathIds: [params.id], requestId: payload.requestId }, (by, request) =>
        discardDraft(by, request, { draftId: params.id, ...payload })
      ),
    commitDraft: ({ params, payload }) =>
      answerRequest({ operation: "commitDraft", pathIds: [params.id], requestId: payload.requestId }, (by, request) =>
        commitDraft(by, request, { draftId: params.id, ...payload })
      )
  })
)
