/** Bearer authentication of the agent API. */
import { Effect, Layer, Redacted } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Caller } from "./authorize.ts"
import { authenticate } from "./operations.ts"
import { Secrets } from "../ports/secrets.ts"
import { Storage } from "../ports/storage.ts"
import { refusalResponse } from "../http/errors.ts"
import { refuses } from "../http/refuses.ts"
import * as checks from "../vocabulary/shared-checks.ts"

export class Bearer extends HttpApiMiddleware.Service<Bearer, { provides: Caller }>()("countersign/access/Bearer", {
  security: { bearer: HttpApiSecurity.bearer },
  error: refuses(...checks.agentCredential)
}) {}

/** Resolves the token before anything of the request is decoded; the transaction rechecks it. */
export const bearer = Layer.effect(
  Bearer,
  Effect.gen(function* () {
    const storage = yield* Storage
    const secrets = yield* Secrets
    return {
      bearer: (respond, { credential }) =>
        authenticate(Redacted.value(credential)).pipe(
          Effect.provideService(Storage, storage),
          Effect.provideService(Secrets, secrets),
          Effect.matchEffect({
            onFailure: (refused) => Effect.succeed(refusalResponse(refused)),
            onSuccess: (caller) => Effect.provideService(respond, Caller, caller)
          })
        )
    }
  })
)
