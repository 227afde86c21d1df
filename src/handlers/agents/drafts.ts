/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { asAgentRequest } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import { contentOf } from "../../drafts/input.ts"
import { prepareDraft } from "../../drafts/operations.ts"

export const preparedDraftHandlers = HttpApiBuilder.group(Api, "preparedDrafts", (handlers) =>
  handlers.handleAll({
    prepareDraft: ({ payload }) =>
      asAgentRequest({ operation: "prepareDraft", requestId: payload.requestId }, (request) =>
        prepareDraft(request, { role: payload.role ?? "BUYER", content: contentOf(payload) })
      )
  })
)
