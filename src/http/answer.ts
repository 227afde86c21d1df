/** Converts the result of a use case into a response: its value, or its refusal as the documented error. */
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Refusal } from "../vocabulary/refusals.ts"
import { refusalResponse } from "./errors.ts"

export const answer = <A, R>(
  useCase: Effect.Effect<A, Refusal, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchTag(useCase, "Refusal", (refused) => Effect.succeed(refusalResponse(refused)))
