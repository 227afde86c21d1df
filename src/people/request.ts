/** How a signed-in person's operation is called and answered, and the identity of what they write. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { answer } from "../http/answer.ts"
import { SentBody } from "../http/body.ts"
import { fingerprint, type Request } from "../replay/replay.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { SignedIn } from "./human.ts"

/** What an operation gives the person who is signed in. */
export const answerPerson = <A, R>(operation: (by: SignedIn["Service"]) => Effect.Effect<A, Refused, R>) =>
  answer(Effect.andThen(refuseUnreadBody, Effect.flatMap(SignedIn, operation)))

/** What a write under a request id gives them. */
export const answerRequest = <A, R>(
  { operation, pathIds = [], requestId }: HumanRequest,
  run: (by: SignedIn["Service"], request: Request) => Effect.Effect<A, Refused, R>
) =>
  answerPerson((by) =>
    Effect.flatMap(SentBody, ({ value }) =>
      run(by, { owner: by.personId, requestId, fingerprint: fingerprint(operation, pathIds, value) })
    )
  )

/** What nobody reads would be ignored in silence; so an operation that takes no body refuses one. */
const refuseUnreadBody = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { value } = yield* SentBody
  const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined
  if (value === null && hasBody) return yield* refuse("INVALID_REQUEST", { detail: "This operation takes no body." })
})

/** A person's request ids are their own, whatever the session. */
export interface HumanRequest {
  readonly operation: string
  readonly pathIds?: ReadonlyArray<string>
  readonly requestId: string
}
