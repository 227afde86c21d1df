/** Authentication of a person by the session cookie, for every operation of the workspace. */
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { cookieNames, readCookie } from "../http/cookies.ts"
import { refuseCrossSite } from "../http/cross-site.ts"
import { refusalResponse } from "../http/errors.ts"
import { refuses } from "../http/refuses.ts"
import { Transport } from "../http/transport.ts"
import { Installation } from "../ports/installation.ts"
import { Secrets } from "../ports/secrets.ts"
import { Storage } from "../ports/storage.ts"
import { requestedBy } from "../ports/storage/requester.ts"
import { refuse } from "../vocabulary/refusals.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { SignedInPerson } from "./acting-person.ts"
import { openSession } from "./sessions.ts"

export class SessionAuthentication extends HttpApiMiddleware.Service<
  SessionAuthentication,
  { provides: SignedInPerson }
>()("countersign/people/SessionAuthentication", {
  security: { session: HttpApiSecurity.apiKey({ key: cookieNames.session, in: "cookie" }) },
  error: refuses(...checks.session, ...checks.sessionWrite)
}) {}

/** A group of operations of people: the session is authenticated before a body is read. */
export const forPeople = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>
) => group.middleware(StrictBody).middleware(SessionAuthentication).prefix("/api/workspace")

/**
 * Resolves the cookie before anything of the request is decoded; the transaction rechecks the session. A bearer token is
 * not read. The origin of the request is checked last, so that only the session's own browser learns the result.
 */
export const sessionAuthentication = Layer.effect(
  SessionAuthentication,
  Effect.gen(function* () {
    const storage = yield* Storage
    const secrets = yield* Secrets
    const { siteUrl } = yield* Installation
    const transport = yield* Transport
    const open = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!transport.isSecure(request)) return yield* refuse("HTTPS_REQUIRED", { detail: overHttps })
      // The library would take the last of several cookies; duplicates mean that another host set one.
      const person = yield* openSession(readCookie(request, "session"))
      const crossSite = refuseCrossSite(siteUrl, request)
      return crossSite === undefined ? person : yield* Effect.fail(crossSite)
    })
    return {
      session: (respond) =>
        open.pipe(
          Effect.provideService(Storage, storage),
          Effect.provideService(Secrets, secrets),
          Effect.matchEffect({
            onFailure: (refused) => Effect.succeed(refusalResponse(refused)),
            onSuccess: (person) =>
              Effect.provideService(respond, SignedInPerson, person).pipe(requestedBy(`person ${person.personId}`))
          })
        )
    }
  })
)

const overHttps = "A person's session is accepted over HTTPS only; send the request to the https address."
