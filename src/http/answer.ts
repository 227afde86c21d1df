/** Converts the result of a use case into a response: its value, or its refusal as the documented error. */
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Refused } from "../vocabulary/refusals.ts"
import { refusalResponse } from "./errors.ts"

export const answer = <A, R>(
  useCase: Effect.Effect<A, Refused, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchTag(useCase, "Refused", (refused) => Effect.succeed(refusalResponse(refused)))
