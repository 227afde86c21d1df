/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { asAgentRequest } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import { contentOf } from "../../drafts/input.ts"
import { prepareDraft } from "../../drafts/operations.ts"

export const preparedDraftHandlers = HttpApiBuilder.group(Api, "preparedDrafts", (handlers) =>
  handlers.handleAll({
    prepareDraft: (sent) =>
      asAgentRequest(sent, (request) =>
        prepareDraft(request, { role: sent.payload.role ?? "BUYER", content: contentOf(sent.payload) })
      )
  })
)
