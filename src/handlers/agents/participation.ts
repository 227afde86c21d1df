/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/agents.ts"
import { RequestBody } from "../../http/body.ts"
import { fingerprint, type IdempotentRequest } from "../../replay/idempotency.ts"
import { addNote, Assistant, readItem } from "../../participation/operations.ts"
import { viewAddedNote, viewItem } from "../../participation/view.ts"

export const participationHandlers = HttpApiBuilder.group(Api, "participation", (handlers) =>
  handlers.handleAll({
    readItem: () => Effect.map(readItem(), viewItem),
    addNote: ({ payload: { requestId, text } }) =>
      Effect.flatMap(requestOf("addNote", requestId), (request) => Effect.map(addNote(request, text), viewAddedNote))
  })
)

/** Request ids belong to the item; a new credential keeps them. */
const requestOf = (operation: string, requestId: string) =>
  Effect.gen(function* () {
    const { itemId } = yield* Assistant
    const { value } = yield* RequestBody
    return { owner: itemId, requestId, fingerprint: fingerprint(operation, [], value) } satisfies IdempotentRequest
  })
