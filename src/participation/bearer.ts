/** The bearer scheme of participation assistants; agent tokens are not accepted. */
import { Effect, Layer, Redacted } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { refusalResponse } from "../http/errors.ts"
import { refuses } from "../http/refuses.ts"
import { Secrets } from "../ports/secrets.ts"
import { Storage } from "../ports/storage.ts"
import { requestedBy } from "../ports/storage/requester.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { Assistant, authenticateAssistant } from "./operations.ts"

export class AssistantBearer extends HttpApiMiddleware.Service<AssistantBearer, { provides: Assistant }>()(
  "countersign/participation/AssistantBearer",
  { security: { participation: HttpApiSecurity.bearer }, error: refuses(...checks.agentCredential) }
) {}

/** Authenticates the token before the request is decoded; the transaction checks it again. */
export const assistantBearer = Layer.effect(
  AssistantBearer,
  Effect.gen(function* () {
    const storage = yield* Storage
    const secrets = yield* Secrets
    return {
      participation: (respond, { credential }) =>
        authenticateAssistant(Redacted.value(credential)).pipe(
          Effect.provideService(Storage, storage),
          Effect.provideService(Secrets, secrets),
          Effect.matchEffect({
            onFailure: (refused) => Effect.succeed(refusalResponse(refused)),
            onSuccess: (assistant) =>
              Effect.provideService(respond, Assistant, assistant).pipe(requestedBy(`item ${assistant.itemId}`))
          })
        )
    }
  })
)
