/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/agents.ts"
import { RequestBody } from "../../http/body.ts"
import { idempotentRequest } from "../../replay/idempotency.ts"
import { addNote, Assistant, readItem } from "../../participation/operations.ts"
import { viewAddedNote, viewItem } from "../../participation/view.ts"

export const participationHandlers = HttpApiBuilder.group(Api, "participation", (handlers) =>
  handlers.handleAll({
    readItem: () => Effect.map(readItem(), viewItem),
    addNote: (sent) =>
      Effect.gen(function* () {
        const { itemId } = yield* Assistant
        const { value } = yield* RequestBody
        // Request ids belong to the item; a new credential keeps them.
        const request = idempotentRequest(itemId, sent, value)
        return viewAddedNote(yield* addNote(request, sent.payload.text))
      })
  })
)
