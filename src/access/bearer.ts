/** Bearer authentication of the agent API. */
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { Caches } from "../ports/caches.ts"
import { Secrets } from "../ports/secrets.ts"
import { Storage } from "../ports/storage.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { authenticate, findKnownCredential, forgetCredential } from "./authentication.ts"
import { asCaller, Caller, LivenessCheck, type Credential } from "./authorize.ts"

export class Bearer extends HttpApiMiddleware.Service<Bearer, { provides: Caller }>()("countersign/access/Bearer", {
  security: { bearer: HttpApiSecurity.bearer },
  error: refuses(...checks.agentCredential)
}) {}

/** A group of operations of agents: the token is authenticated before a body is read. */
export const forAgents = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>
) => group.middleware(StrictBody).middleware(Bearer).prefix("/api/agents/v1")

/**
 * Authenticates the token before anything of the request is decoded. The token of a known credential is not read again:
 * the operation itself finds it live, under its locks, or the answer is withheld until the token is authenticated. So a
 * credential that has ended is always answered with 401, whatever else is wrong with the request.
 */
export const bearer = Layer.effect(
  Bearer,
  Effect.gen(function* () {
    const context = yield* Effect.context<Storage | Secrets | Caches>()
    const authenticated = (token: string) => Effect.provideContext(authenticate(token), context)
    return {
      bearer: (respond, { credential }) => {
        const token = Redacted.value(credential)
        const answerAs = (caller: Credential) => asCaller(respond, caller, new LivenessCheck())
        const answerKnown = Effect.fnUntraced(function* (caller: Credential) {
          const check = new LivenessCheck(caller)
          const answer = yield* Effect.exit(asCaller(respond, caller, check))
          if (check.hasPassed || isInterrupted(answer)) return yield* answer
          // If it has ended, the next request is authenticated before it is decoded.
          yield* Effect.tapError(authenticated(token), () => Effect.provideContext(forgetCredential(token), context))
          return yield* answer
        })
        return Effect.provideContext(findKnownCredential(token), context).pipe(
          Effect.flatMap((known) =>
            known === undefined ? Effect.flatMap(authenticated(token), answerAs) : answerKnown(known)
          )
        )
      }
    }
  })
)

const isInterrupted = <A, E>(answer: Exit.Exit<A, E>): boolean =>
  Exit.isFailure(answer) && Cause.hasInterruptsOnly(answer.cause)
