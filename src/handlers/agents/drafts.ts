/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { requestOf } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import { answer } from "../../http/answer.ts"
import { contentOf } from "../../drafts/input.ts"
import { prepareDraft } from "../../drafts/operations.ts"

export const preparedDraftHandlers = HttpApiBuilder.group(Api, "preparedDrafts", (handlers) =>
  handlers.handleAll({
    prepareDraft: ({ payload }) =>
      answer(
        Effect.flatMap(requestOf("prepareDraft", [], payload.requestId), (request) =>
          prepareDraft(request, { role: payload.role ?? "BUYER", content: contentOf(payload) })
        )
      )
  })
)
